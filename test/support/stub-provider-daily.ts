import { map, dateAhead, shownDay, shownHour, type Shown } from './stub-provider-damage.js';
import { kmhOfMs, listOf, type StubKind } from './stub-provider-kind.js';
import { dayAt, dayOfPeriod, rainOfPeriod, withRepeated } from './stub-provider-series.js';
import { kmhOfMph } from './stub-provider-weather.js';
import { fahrenheit, percent, windText } from './stub-provider-weather-gov.js';
import { PATHS } from './stub-provider-world.js';

/** The daily forecasts of the stub provider, as each of the real services responds with them. */

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
function openMeteoDaily(here: Shown, dayCount: number): Record<string, unknown[]> {
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

/** The forecast of OpenWeatherMap: forty steps of three hours, with the minimum and the maximum in turn. */
function openWeatherMapSteps(here: Shown) {
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

/** The fourteen periods of api.weather.gov: daytimes and nights. */
function weatherGovPeriods(here: Shown) {
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

export const DAILY: StubKind = {
  apis: {
    [PATHS.openWeatherMapForecast]: (here) => ({ cod: '200', list: openWeatherMapSteps(here) }),
    [PATHS.weatherGovForecast]: (here) => ({ properties: { periods: weatherGovPeriods(here) } }),
  },
  openMeteo: {
    daily: (here, query) => openMeteoDaily(here, Number(query.get('forecast_days') ?? 7)),
  },
};
