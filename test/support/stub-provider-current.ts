import { map, type Value } from './stub-provider-damage.js';
import { kmhOfMs, type Api, type StubKind } from './stub-provider-kind.js';
import { PATHS } from './stub-provider-world.js';

/** The current weather of the stub provider, as each of the real services responds with it. */

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
    // Absent when dry.
    ...(here.rain === 0 ? {} : { rain: { '1h': here.rain } }),
    dt: Math.floor(here.now / 1000),
    name: '',
    cod: 200,
  };
};

const weatherGov: Api = (here) => {
  const [icon, textDescription] = here.sky?.nws ?? [null, ''];
  const time = here.isDay ? 'day' : 'night';
  const isCold = (here.temperature ?? 0) < 10;
  const isHot = (here.temperature ?? 0) > 21;
  const measured = (unit: string, value: Value) => ({
    unitCode: `wmoUnit:${unit}`,
    value: value ?? null,
  });
  return {
    properties: {
      timestamp: new Date(here.now - 600_000).toISOString().replace(/\.\d+Z$/, '+00:00'),
      textDescription,
      icon: icon && `https://api.weather.gov/icons/land/${time}/${icon}?size=medium`,
      temperature: measured('degC', here.temperature),
      windChill: measured('degC', isCold ? here.feelsLike : null),
      heatIndex: measured('degC', isHot ? here.feelsLike : null),
      dewpoint: measured('degC', here.dewPoint),
      windSpeed: measured('km_h-1', kmhOfMs(here.wind)),
      windDirection: measured('degree_(angle)', here.direction),
      windGust: measured('km_h-1', kmhOfMs(here.gustMs)),
      barometricPressure: measured('Pa', 101_190),
      seaLevelPressure: measured(
        'Pa',
        map(here.pressure, (pressure) => pressure * 100),
      ),
      visibility: measured('m', here.visibility),
      // Null when dry.
      precipitationLastHour: measured('mm', here.rain === 0 ? null : here.rain),
      presentWeather: [],
      cloudLayers: [],
      relativeHumidity: measured(
        'percent',
        map(here.humidity, (humidity) => humidity + 0.2),
      ),
    },
  };
};

export const CURRENT: StubKind = {
  apis: { [PATHS.openWeatherMap]: openWeatherMap, [PATHS.weatherGov]: weatherGov },
  openMeteo: {
    current: (here) => ({
      time: new Date(Math.floor(here.now / 900_000) * 900_000).toISOString().slice(0, 16),
      interval: 900,
      temperature_2m: here.temperature,
      relative_humidity_2m: here.humidity,
      apparent_temperature: here.feelsLike,
      weather_code: here.sky?.wmo ?? null,
      pressure_msl: here.pressure,
      // The sum of a quarter of an hour.
      precipitation: map(here.rain, (rate) => rate / 4),
      cloud_cover: here.clouds,
      wind_speed_10m: kmhOfMs(here.wind),
      wind_direction_10m: map(here.direction, Math.round),
      wind_gusts_10m: kmhOfMs(here.gustMs),
      visibility: here.visibility,
      uv_index: here.uv,
      is_day: Number(here.isDay),
    }),
  },
};
