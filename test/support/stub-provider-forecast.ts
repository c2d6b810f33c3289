import { datesFrom, metSymbol, type StubWeather } from './stub-provider-weather.js';

/** The daily forecast of the stub provider, as each of the real services gives it. */

const HOUR_MS = 3_600_000;

/** The values of `daily` of Open-Meteo by variable. */
export function openMeteoDaily(here: StubWeather, dayCount: number): Record<string, unknown[]> {
  const time = datesFrom(here.timeZone, dayCount);
  return {
    time,
    temperature_2m_min: time.map(() => here.min),
    temperature_2m_max: time.map(() => here.max),
    weather_code: time.map(() => here.sky.wmo),
    precipitation_probability_max: time.map(() => here.probability),
    sunrise: time.map((date) => `${date}T07:31`),
    sunset: time.map((date) => `${date}T16:23`),
  };
}

/**
 * The time series of MET Norway: 60 steps of an hour, then 30 of six hours. The second step begins with the current
 * hour, and has the current weather. The other hours have the minimum and the maximum in turn.
 * @param isComplete whether the periods have the values that only the complete format has
 */
export function metSteps(here: StubWeather, isComplete: boolean) {
  const first = Math.floor(Date.now() / HOUR_MS - 1);
  const { min, max, probability } = here;
  return Array.from({ length: 90 }, (_, index) => {
    const isHourly = index < 60;
    const hour = first + (isHourly ? index : 60 + (index - 60) * 6);
    const extreme = hour % 2 === 0 ? min : max;
    // Between two coarse steps, it becomes colder and warmer than at their instants.
    const later = isHourly ? extreme : (min + max) / 2;
    const extremes = { air_temperature_max: max, air_temperature_min: min };
    const period = {
      summary: { symbol_code: metSymbol(here) },
      details: {
        precipitation_amount: 0,
        ...(isComplete ? { probability_of_precipitation: probability } : {}),
        ...(isComplete && !isHourly ? extremes : {}),
      },
    };
    const details = {
      air_temperature: index === 1 ? here.temperature : later,
      relative_humidity: here.humidity + 0.3,
      wind_speed: here.windMs,
    };
    return {
      time: new Date(hour * HOUR_MS).toISOString().replace('.000', ''),
      data: { instant: { details }, [isHourly ? 'next_1_hours' : 'next_6_hours']: period },
    };
  });
}

/** The forecast of OpenWeatherMap: forty steps of three hours, with the minimum and the maximum in turn. */
export function openWeatherMapSteps({ min, max, probability, sky }: StubWeather) {
  const first = Math.ceil(Date.now() / (3 * HOUR_MS));
  return Array.from({ length: 40 }, (_, index) => ({
    dt: (first + index) * 3 * 3600,
    main: { temp: index % 2 === 0 ? min : max, humidity: 50 },
    weather: [{ id: sky.owm, main: 'Sky' }],
    pop: probability / 100,
  }));
}

/** The fourteen periods of api.weather.gov: daytimes and nights. */
export function weatherGovPeriods({ timeZone, min, max, probability, sky }: StubWeather) {
  const [icon, shortForecast] = sky.nws;
  const periodOf = (startTime: string, isDaytime: boolean) => ({
    startTime,
    isDaytime,
    temperature: (isDaytime ? max : min) * 1.8 + 32,
    temperatureUnit: 'F',
    probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: probability },
    icon: `https://api.weather.gov/icons/land/${isDaytime ? 'day' : 'night'}/${icon},40?size=medium`,
    shortForecast,
  });
  // The service ignores the offset from UTC.
  return datesFrom(timeZone, 7).flatMap((date) => [
    periodOf(`${date}T06:00:00-08:00`, true),
    periodOf(`${date}T18:00:00-08:00`, false),
  ]);
}
