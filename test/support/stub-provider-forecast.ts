import { dateAt, metSymbol, stubDay, stubDays, type StubWeather } from './stub-provider-weather.js';

/** The daily forecast of the stub provider, as each of the real services gives it. */

const HOUR_MS = 3_600_000;

/** The values of `daily` of Open-Meteo by variable. */
export function openMeteoDaily(here: StubWeather, dayCount: number): Record<string, unknown[]> {
  const days = stubDays(here, dayCount);
  return {
    time: days.map(({ date }) => date),
    temperature_2m_min: days.map(({ min }) => min),
    temperature_2m_max: days.map(({ max }) => max),
    weather_code: days.map(({ sky }) => sky.wmo),
    precipitation_probability_max: days.map(({ probability }) => probability),
    sunrise: days.map(({ date }) => `${date}T07:31`),
    sunset: days.map(({ date }) => `${date}T16:23`),
  };
}

/** The weather of the date of an instant. A period counts for the date on which most of it lies. */
const dayAt = (here: StubWeather, instant: number) => stubDay(here, dateAt(here.timeZone, instant));
const dayOfPeriod = (here: StubWeather, at: number, hours: number) =>
  dayAt(here, at + (hours / 2) * HOUR_MS - 1);

/**
 * The time series of MET Norway: 60 steps of an hour, then 30 of six hours. The second step begins with the current
 * hour, and has the current weather. The other hours have the minimum and the maximum of their date in turn.
 * @param isComplete whether the periods have the values that only the complete format has
 */
export function metSteps(here: StubWeather, isComplete: boolean) {
  const first = Math.floor(Date.now() / HOUR_MS - 1) * HOUR_MS;
  return Array.from({ length: 90 }, (_, index) => {
    const hours = index < 60 ? 1 : 6;
    const at = first + (index < 60 ? index : 60 + (index - 60) * 6) * HOUR_MS;
    const { min, max } = dayAt(here, at);
    // Between two coarse steps, it becomes colder and warmer than at their instants.
    const temperature = hours === 6 ? (min + max) / 2 : [min, max][index % 2];
    const day = dayOfPeriod(here, at, hours);
    const extremes = { air_temperature_max: day.max, air_temperature_min: day.min };
    const period = {
      summary: { symbol_code: metSymbol(index === 1 ? here : { sky: day.sky, isDay: true }) },
      details: {
        precipitation_amount: 0,
        ...(isComplete ? { probability_of_precipitation: day.probability } : {}),
        ...(isComplete && hours === 6 ? extremes : {}),
      },
    };
    const details = {
      air_temperature: index === 1 ? here.temperature : temperature,
      relative_humidity: here.humidity + 0.3,
      wind_speed: here.windMs,
    };
    return {
      time: new Date(at).toISOString().replace('.000', ''),
      data: { instant: { details }, [`next_${hours}_hours`]: period },
    };
  });
}

/** The forecast of OpenWeatherMap: forty steps of three hours, with the minimum and the maximum in turn. */
export function openWeatherMapSteps(here: StubWeather) {
  const first = Math.ceil(Date.now() / (3 * HOUR_MS)) * 3 * HOUR_MS;
  return Array.from({ length: 40 }, (_, index) => {
    const at = first + index * 3 * HOUR_MS;
    const { min, max } = dayAt(here, at);
    const { probability, sky } = dayOfPeriod(here, at, 3);
    return {
      dt: at / 1000,
      main: { temp: index % 2 === 0 ? min : max, humidity: 50 },
      weather: [{ id: sky.owm, main: 'Sky' }],
      pop: probability / 100,
    };
  });
}

/** The fourteen periods of api.weather.gov: daytimes and nights. */
export function weatherGovPeriods(here: StubWeather) {
  // The service ignores the offset from UTC.
  return stubDays(here, 7).flatMap(({ date, min, max, probability, sky: { nws } }) =>
    ['day', 'night'].map((time) => ({
      startTime: `${date}T${time === 'day' ? '06' : '18'}:00:00-08:00`,
      isDaytime: time === 'day',
      temperature: (time === 'day' ? max : min) * 1.8 + 32,
      temperatureUnit: 'F',
      probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: probability },
      icon: `https://api.weather.gov/icons/land/${time}/${nws[0]},40?size=medium`,
      shortForecast: nws[1],
    })),
  );
}
