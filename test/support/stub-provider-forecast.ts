import {
  map,
  dateAhead,
  shownDay,
  shownHour,
  type Shown,
  type Value,
} from './stub-provider-damage.js';
import { dateAt, kmhOfMph, metSymbol, oneDecimal } from './stub-provider-weather.js';

/** The forecasts of the stub provider, as each of the real services gives them. */

const HOUR_MS = 3_600_000;

const kmhOfMs = (value: Value) => map(value, (ms) => oneDecimal(ms * 3.6));
/** Values as the service of Open-Meteo sends them: one that is missing is null. */
const listOf = <Item>(items: Item[], valueOf: (item: Item) => Value) =>
  items.map((item) => valueOf(item) ?? null);

/** The days from today on, with the repeated one. */
function shownDays(here: Shown, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const day = shownDay(here, dateAhead(here, index));
    return index === here.damage.repeatedDay ? [day, day] : [day];
  }).flat();
}

/**
 * The values of `daily` of Open-Meteo by variable. The real service computes sunrise and sunset with the offset from UTC of
 * today, so they are wrong by an hour on the other side of a clock change.
 */
export function openMeteoDaily(here: Shown, dayCount: number): Record<string, unknown[]> {
  const days = shownDays(here, dayCount);
  return {
    time: days.map(({ date }) => date),
    temperature_2m_min: listOf(days, ({ min }) => min),
    temperature_2m_max: listOf(days, ({ max }) => max),
    weather_code: listOf(days, ({ sky }) => sky?.wmo),
    precipitation_sum: listOf(days, ({ rain }) => rain),
    precipitation_probability_max: listOf(days, ({ probability }) => probability),
    wind_speed_10m_max: listOf(days, ({ windMph }) => map(windMph, kmhOfMph)),
    wind_gusts_10m_max: listOf(days, ({ gustMs }) => kmhOfMs(gustMs)),
    uv_index_max: listOf(days, ({ uv }) => uv),
    sunrise: days.map(({ date }) => `${date}T07:31`),
    sunset: days.map(({ date }) => `${date}T16:23`),
  };
}

/**
 * The values of `hourly` of Open-Meteo by variable, from the present hour on, in UTC. Precipitation, its probability,
 * gusts, and the weather code are those of the hour before the time.
 */
export function openMeteoHourly(
  here: Shown,
  hourCount: number,
  isUnixTime: boolean,
): Record<string, unknown[]> {
  const first = Math.floor(here.now / HOUR_MS) * HOUR_MS;
  const times = Array.from({ length: hourCount }, (_, index) => first + index * HOUR_MS);
  const hours = times.map((at) => shownHour(here, at));
  const before = times.map((at) => shownHour(here, at - HOUR_MS));
  const iso = (at: number) => new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
  return {
    time: times.map((at) => (isUnixTime ? at / 1000 : iso(at))),
    temperature_2m: listOf(hours, ({ temperature }) => temperature),
    relative_humidity_2m: listOf(hours, ({ humidity }) => humidity),
    apparent_temperature: listOf(hours, ({ feelsLike }) => feelsLike),
    cloud_cover: listOf(hours, ({ clouds }) => clouds),
    wind_speed_10m: listOf(hours, ({ wind }) => kmhOfMs(wind)),
    wind_direction_10m: listOf(hours, ({ direction }) => map(direction, Math.round)),
    precipitation: listOf(before, ({ rain }) => rain),
    precipitation_probability: listOf(before, ({ probability }) => probability),
    weather_code: listOf(before, ({ sky }) => sky?.wmo),
    wind_gusts_10m: listOf(before, ({ gustMs }) => kmhOfMs(gustMs)),
  };
}

/** The weather of the date of an instant. A period counts for the date on which most of it lies. */
const dayAt = (here: Shown, instant: number) => shownDay(here, dateAt(here.timeZone, instant));
const dayOfPeriod = (here: Shown, at: number, hours: number) =>
  dayAt(here, at + (hours / 2) * HOUR_MS - 1);

/** The rain of the hours of a period. */
function rainOfPeriod(here: Shown, at: number, hours: number): Value {
  const amounts = Array.from(
    { length: hours },
    (_, index) => shownHour(here, at + index * HOUR_MS).rain,
  );
  const damaged = amounts.find((amount) => typeof amount !== 'number' || amount < 0);
  if (amounts.some((amount) => amount === damaged)) return damaged;
  return oneDecimal(amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0));
}

/** The steps of a series, and those of the repeated day once more. */
function withRepeated<Step>(here: Shown, steps: { at: number; step: Step }[]): Step[] {
  const { repeatedDay } = here.damage;
  const repeated = repeatedDay === undefined ? undefined : dateAhead(here, repeatedDay);
  return [...steps, ...steps.filter(({ at }) => dateAt(here.timeZone, at) === repeated)].map(
    ({ step }) => step,
  );
}

/** Roughly the area for which MET Norway has gusts and probabilities. */
export const isNordic = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  latitude > 54 && latitude < 73 && longitude > -12 && longitude < 32;

/**
 * The time series of MET Norway: 60 steps of an hour, then 30 of six hours. The second step begins with the current
 * hour, and has the current weather. The other hours have the minimum and the maximum of their date in turn.
 */
export function metSteps(here: Shown) {
  const first = Math.floor(here.now / HOUR_MS - 1) * HOUR_MS;
  const steps = Array.from({ length: 90 }, (_, index) => {
    const isHourly = index < 60;
    const hours = isHourly ? 1 : 6;
    const at = first + (isHourly ? index : 60 + (index - 60) * 6) * HOUR_MS;
    const { min, max } = dayAt(here, at);
    const day = dayOfPeriod(here, at, hours);
    const isPresent = index === 1;
    const hour = shownHour(here, at);
    const { sky } = isHourly ? hour : day;
    const extremes = { air_temperature_max: day.max, air_temperature_min: day.min };
    const period = {
      summary: sky && { symbol_code: metSymbol({ sky, isDay: isPresent ? here.isDay : true }) },
      details: {
        precipitation_amount: isPresent ? here.rain : rainOfPeriod(here, at, hours),
        ...(isNordic(here)
          ? { probability_of_precipitation: isHourly ? hour.probability : day.probability }
          : {}),
        ...(isHourly ? {} : extremes),
      },
    };
    const instant = isPresent ? here : hour;
    const details = {
      // Between two coarse steps, it becomes colder and warmer than at their instants.
      air_temperature: isHourly ? hour.temperature : map(min, (low) => (low + (max ?? low)) / 2),
      relative_humidity: map(hour.humidity, (humidity) => humidity + 0.3),
      wind_speed: hour.wind,
      wind_from_direction: instant.direction,
      cloud_area_fraction: map(instant.clouds, (clouds) => clouds + 0.3),
      air_pressure_at_sea_level: here.pressure,
      dew_point_temperature: here.dewPoint,
      ultraviolet_index_clear_sky: 9.9,
      ...(isNordic(here) && isHourly ? { wind_speed_of_gust: instant.gustMs } : {}),
    };
    const step = {
      time: new Date(at).toISOString().replace('.000', ''),
      // A step without a symbol has no period.
      data: { instant: { details }, ...(sky ? { [`next_${hours}_hours`]: period } : {}) },
    };
    return { at, step };
  });
  return withRepeated(here, steps);
}

/** The forecast of OpenWeatherMap: forty steps of three hours, with the minimum and the maximum in turn. */
export function openWeatherMapSteps(here: Shown) {
  const first = Math.ceil(here.now / (3 * HOUR_MS)) * 3 * HOUR_MS;
  const steps = Array.from({ length: 40 }, (_, index) => {
    const at = first + index * 3 * HOUR_MS;
    const { min, max } = dayAt(here, at);
    const { probability, sky } = dayOfPeriod(here, at, 3);
    const { wind } = shownHour(here, at);
    const rain = rainOfPeriod(here, at, 3);
    const isSnow = (min ?? 0) < 0;
    const step = {
      dt: at / 1000,
      main: { temp: index % 2 === 0 ? min : max, humidity: 50 },
      weather: sky ? [{ id: sky.owm, main: 'Sky' }] : [],
      wind: { speed: wind, deg: 0, gust: dayAt(here, at).gustMs },
      pop: map(probability, (percent) => percent / 100),
      ...(rain === 0 ? {} : { [isSnow ? 'snow' : 'rain']: { '3h': rain } }),
    };
    return { at, step };
  });
  return withRepeated(here, steps);
}

const fahrenheit = (value: Value) => map(value, (celsius) => celsius * 1.8 + 32);
const percent = (value: Value) => ({ unitCode: 'wmoUnit:percent', value: value ?? null });

/** The wind in words. A range ends with the maximum. */
function windText(mph: Value): string {
  if (typeof mph !== 'number') return '';
  return mph > 5 ? `${mph - 5} to ${mph} mph` : `${mph} mph`;
}

const POINTS_OF_COMPASS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** The fourteen periods of api.weather.gov: daytimes and nights. */
export function weatherGovPeriods(here: Shown) {
  // The service ignores the offset from UTC.
  return shownDays(here, 7).flatMap(({ date, min, max, probability, sky, windMph }) =>
    ['day', 'night'].map((time) => ({
      startTime: `${date}T${time === 'day' ? '06' : '18'}:00:00-08:00`,
      isDaytime: time === 'day',
      temperature: fahrenheit(time === 'day' ? max : min),
      temperatureUnit: 'F',
      probabilityOfPrecipitation: percent(probability),
      windSpeed: time === 'day' ? windText(windMph) : '0 mph',
      windDirection: 'N',
      icon: sky && `https://api.weather.gov/icons/land/${time}/${sky.nws[0]},40?size=medium`,
      shortForecast: sky?.nws[1] ?? '',
    })),
  );
}

/** The hourly periods of api.weather.gov, from the present hour on. */
export function weatherGovHours(here: Shown) {
  const first = Math.floor(here.now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: 156 }, (_, index) => {
    const at = first + index * HOUR_MS;
    const { temperature, humidity, probability, sky, wind, direction } = shownHour(here, at);
    return {
      number: index + 1,
      startTime: new Date(at - 8 * HOUR_MS).toISOString().replace('.000Z', '-08:00'),
      isDaytime: true,
      temperature: fahrenheit(temperature),
      temperatureUnit: 'F',
      probabilityOfPrecipitation: percent(probability),
      relativeHumidity: percent(humidity),
      windSpeed: windText(map(wind, (ms) => Math.round(ms / 0.44704))),
      windDirection: POINTS_OF_COMPASS[(direction ?? 0) / 22.5] ?? '',
      icon: sky && `https://api.weather.gov/icons/land/day/${sky.nws[0]},40?size=small`,
      shortForecast: sky?.nws[1] ?? '',
    };
  });
}
