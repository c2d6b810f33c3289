import { map, dateAhead, shownDay, type Shown } from './stub-provider-damage.js';
import { dateAt, metSymbol } from './stub-provider-weather.js';

/** The daily forecast of the stub provider, as each of the real services gives it. */

const HOUR_MS = 3_600_000;

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
    temperature_2m_min: days.map(({ min }) => min ?? null),
    temperature_2m_max: days.map(({ max }) => max ?? null),
    weather_code: days.map(({ sky }) => sky?.wmo ?? null),
    precipitation_probability_max: days.map(({ probability }) => probability ?? null),
    sunrise: days.map(({ date }) => `${date}T07:31`),
    sunset: days.map(({ date }) => `${date}T16:23`),
  };
}

/** The weather of the date of an instant. A period counts for the date on which most of it lies. */
const dayAt = (here: Shown, instant: number) => shownDay(here, dateAt(here.timeZone, instant));
const dayOfPeriod = (here: Shown, at: number, hours: number) =>
  dayAt(here, at + (hours / 2) * HOUR_MS - 1);

/** The steps of a series, and those of the repeated day once more. */
function withRepeated<Step>(here: Shown, steps: { at: number; step: Step }[]): Step[] {
  const { repeatedDay } = here.damage;
  const repeated = repeatedDay === undefined ? undefined : dateAhead(here, repeatedDay);
  return [...steps, ...steps.filter(({ at }) => dateAt(here.timeZone, at) === repeated)].map(
    ({ step }) => step,
  );
}

/**
 * The time series of MET Norway: 60 steps of an hour, then 30 of six hours. The second step begins with the current
 * hour, and has the current weather. The other hours have the minimum and the maximum of their date in turn.
 * @param isComplete whether the periods have the values that only the complete format has
 */
export function metSteps(here: Shown, isComplete: boolean) {
  const first = Math.floor(here.now / HOUR_MS - 1) * HOUR_MS;
  const steps = Array.from({ length: 90 }, (_, index) => {
    const hours = index < 60 ? 1 : 6;
    const at = first + (index < 60 ? index : 60 + (index - 60) * 6) * HOUR_MS;
    const { min, max } = dayAt(here, at);
    // Between two coarse steps, it becomes colder and warmer than at their instants.
    const middle = map(min, (low) => (low + (max ?? low)) / 2);
    const temperature = hours === 6 ? middle : [min, max][index % 2];
    const day = dayOfPeriod(here, at, hours);
    const extremes = { air_temperature_max: day.max, air_temperature_min: day.min };
    const sky = index === 1 ? here.sky : day.sky;
    const isDay = index === 1 ? here.isDay : true;
    const period = {
      summary: sky && { symbol_code: metSymbol({ sky, isDay }) },
      details: {
        precipitation_amount: 0,
        ...(isComplete ? { probability_of_precipitation: day.probability } : {}),
        ...(isComplete && hours === 6 ? extremes : {}),
      },
    };
    const details = {
      air_temperature: index === 1 ? here.temperature : temperature,
      relative_humidity: map(here.humidity, (humidity) => humidity + 0.3),
      wind_speed: here.windMs,
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
    const step = {
      dt: at / 1000,
      main: { temp: index % 2 === 0 ? min : max, humidity: 50 },
      weather: sky ? [{ id: sky.owm, main: 'Sky' }] : [],
      pop: map(probability, (percent) => percent / 100),
    };
    return { at, step };
  });
  return withRepeated(here, steps);
}

/** The fourteen periods of api.weather.gov: daytimes and nights. */
export function weatherGovPeriods(here: Shown) {
  // The service ignores the offset from UTC.
  return shownDays(here, 7).flatMap(({ date, min, max, probability, sky }) =>
    ['day', 'night'].map((time) => ({
      startTime: `${date}T${time === 'day' ? '06' : '18'}:00:00-08:00`,
      isDaytime: time === 'day',
      temperature: map(time === 'day' ? max : min, (celsius) => celsius * 1.8 + 32),
      temperatureUnit: 'F',
      probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: probability },
      icon: sky && `https://api.weather.gov/icons/land/${time}/${sky.nws[0]},40?size=medium`,
      shortForecast: sky?.nws[1] ?? '',
    })),
  );
}
