import {
  dayAt,
  dayOfPeriod,
  map,
  rainOfPeriod,
  shownHour,
  withRepeated,
  type Shown,
} from './stub-provider-damage.js';
import { stubAir } from './stub-provider-air.js';
import { PATHS, type Api, type Stub } from './stub-provider-world.js';

/** OpenWeatherMap, as the stub provider serves it. */

const STEP_HOURS = 3;
const STEP_MS = STEP_HOURS * 3_600_000;

const openWeatherMap: Api = (here, query) => {
  const isMetric = query.get('units') === 'metric';
  const { sky, humidity } = here;
  const temp = map(here.temperature, (celsius) => celsius + (isMetric ? 0 : 273.15));
  return {
    weather: sky ? [{ id: sky.owm, main: 'Sky', icon: here.isDay ? '04d' : '04n' }] : [],
    main: { temp, feels_like: here.feelsLike, humidity, pressure: here.pressure },
    visibility: here.visibility,
    wind: { speed: here.wind, deg: here.direction, gust: here.gustMs },
    clouds: { all: here.clouds },
    // A wet condition without an object would say that the amount is not known.
    rain: here.rain === 0 ? {} : { '1h': here.rain },
    dt: Math.floor(here.now / 1000),
    name: '',
    cod: 200,
  };
};

/**
 * The forecast: forty steps of three hours, with the minimum and the maximum in turn. Rain,
 * probability, and condition are those of the three hours before a step.
 */
function steps(here: Shown) {
  const first = Math.ceil(here.now / STEP_MS) * STEP_MS;
  const steps = Array.from({ length: 40 }, (_, index) => {
    const at = first + index * STEP_MS;
    const { min, max } = dayAt(here, at);
    const { probability, sky } = dayOfPeriod(here, at - STEP_MS, STEP_HOURS);
    const { wind } = shownHour(here, at);
    const rain = rainOfPeriod(here, at - STEP_MS, STEP_HOURS);
    const isSnow = (min ?? 0) < 0;
    // A wet condition without an object would say that the amount is not known.
    const amount = rain === 0 ? {} : { '3h': rain };
    const step = {
      dt: at / 1000,
      main: { temp: index % 2 === 0 ? min : max, humidity: 50 },
      weather: sky ? [{ id: sky.owm, main: 'Sky' }] : [],
      wind: { speed: wind, deg: 0, gust: dayAt(here, at).gustMs },
      pop: map(probability, (percent) => percent / 100),
      [isSnow ? 'snow' : 'rain']: amount,
    };
    return { at, step };
  });
  return withRepeated(here, steps);
}

/** `aqi` is an index of its own, from 1 to 5. */
const airPollution: Api = (here) => ({
  coord: { lon: here.longitude, lat: here.latitude },
  list: [
    {
      main: { aqi: 2 },
      components: { ...stubAir(here), no: 0.2, nh3: 0.7 },
      dt: Math.floor(here.now / 3_600_000) * 3600,
    },
  ],
});

export const OPENWEATHERMAP: Stub = {
  apis: {
    [PATHS.openWeatherMapAir]: airPollution,
    [PATHS.openWeatherMap]: openWeatherMap,
    [PATHS.openWeatherMapForecast]: (here) => ({ cod: '200', list: steps(here) }),
  },
  statusOf: ({ path, query }) => (path.startsWith('/data/2.5/') && !query.get('appid') ? 401 : 200),
};
