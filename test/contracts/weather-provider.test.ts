import { PROVIDERS, type ServiceName } from '../../src/config/providers.js';
import { createMetNorway } from '../../src/providers/met-norway/met-norway.js';
import { createOpenMeteo } from '../../src/providers/open-meteo/open-meteo.js';
import { createOpenWeatherMap } from '../../src/providers/openweathermap/openweathermap.js';
import { createWeatherGov } from '../../src/providers/weather-gov/weather-gov.js';
import { systemClock } from '../support/manual-clock.js';
import { feelsLike } from '../../src/weather/feels-like.js';
import type { HourlyWeather } from '../../src/weather/hourly-forecast.js';
import { plausible } from '../../src/weather/plausible.js';
import type { Point } from '../../src/weather/types.js';
import { dateAt, isNordic, PATHS, stubWeather } from '../support/stub-provider.js';
import { providerDataContract } from './provider-data.contract.js';
import {
  HOUR_OF_VALUES,
  SECRET_KEY,
  weatherProviderContract,
  type ProviderUnderTest,
} from './weather-provider.contract.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The series of the stub provider begins an hour ago: the second step is the one for now. */
const NOW = ['properties', 'timeseries', 1, 'data'];
const HOUR = ['properties', 'timeseries', 1 + HOUR_OF_VALUES, 'data'];
/** A step of six hours. */
const LATER = ['properties', 'timeseries', 70, 'data'];
/** A period of api.weather.gov. */
const PERIOD = ['properties', 'periods', HOUR_OF_VALUES];

/** What the rule of `feelsLike` makes of the values of a stub provider. */
const computed = (temperature: number, humidity: number, windMs: number) =>
  plausible('feels_like', feelsLike(temperature, humidity, windMs * 3.6));

/** Outside of the Nordic area, MET Norway has no gusts and no probabilities. */
const lacksOfMet = (point: Point, ...members: string[]) => (isNordic(point) ? [] : members);

/** Whether the series of MET Norway has all hours of a date: its 60th step is the first one of six hours. */
const isHourly = ({ latitude, longitude }: Point, date: string) => {
  const firstCoarse = (Math.floor(Date.now() / HOUR_MS) + 59) * HOUR_MS;
  return dateAt(stubWeather(latitude, longitude).timeZone, firstCoarse) > date;
};

const feelsLikeOfHour = ({ temperature, humidity, wind_speed }: HourlyWeather) =>
  plausible('feels_like', feelsLike(temperature, humidity, wind_speed));

/** The options of the contract suite for each provider. */
const CASES: Record<ServiceName, Omit<ProviderUnderTest, 'name'>> = {
  'open-meteo': {
    path: PATHS.openMeteo,
    create: (client, baseUrl) => createOpenMeteo({ client, baseUrl, apiKey: SECRET_KEY }),
    values: [
      ['current', 'temperature_2m'],
      ['current', 'relative_humidity_2m'],
      ['current', 'weather_code'],
      ['current', 'wind_speed_10m'],
    ],
    optional: [
      ['feels_like', ['current', 'apparent_temperature']],
      ['pressure', ['current', 'pressure_msl']],
      ['precipitation', ['current', 'precipitation']],
      ['precipitation', ['current', 'interval']],
      ['cloud_cover', ['current', 'cloud_cover']],
      ['wind_direction', ['current', 'wind_direction_10m']],
      ['wind_gusts', ['current', 'wind_gusts_10m']],
    ],
    daily: {
      path: PATHS.openMeteo,
      minDays: 7,
      hasWholeToday: true,
      values: [
        ['daily', 'temperature_2m_min', 2],
        ['daily', 'temperature_2m_max', 2],
        ['daily', 'weather_code', 2],
        ['daily', 'precipitation_probability_max', 2],
      ],
      lacks: () => [],
      optional: [
        ['precipitation_probability', ['daily', 'precipitation_probability_max', 2]],
        ['precipitation', ['daily', 'precipitation_sum', 2]],
        ['wind_speed_max', ['daily', 'wind_speed_10m_max', 2]],
        ['wind_gusts_max', ['daily', 'wind_gusts_10m_max', 2]],
        ['uv_index_max', ['daily', 'uv_index_max', 2]],
      ],
    },
    hourly: {
      path: PATHS.openMeteo,
      lacks: () => [],
      values: [
        ['hourly', 'temperature_2m', HOUR_OF_VALUES],
        ['hourly', 'weather_code', HOUR_OF_VALUES + 1],
      ],
      optional: [
        ['feels_like', ['hourly', 'apparent_temperature', HOUR_OF_VALUES]],
        ['humidity', ['hourly', 'relative_humidity_2m', HOUR_OF_VALUES]],
        ['cloud_cover', ['hourly', 'cloud_cover', HOUR_OF_VALUES]],
        ['precipitation', ['hourly', 'precipitation', HOUR_OF_VALUES + 1]],
        ['precipitation_probability', ['hourly', 'precipitation_probability', HOUR_OF_VALUES + 1]],
        ['wind_speed', ['hourly', 'wind_speed_10m', HOUR_OF_VALUES]],
        ['wind_direction', ['hourly', 'wind_direction_10m', HOUR_OF_VALUES]],
        ['wind_gusts', ['hourly', 'wind_gusts_10m', HOUR_OF_VALUES + 1]],
      ],
    },
  },
  openweathermap: {
    path: PATHS.openWeatherMap,
    create: (client, baseUrl) => createOpenWeatherMap({ client, baseUrl, apiKey: SECRET_KEY }),
    values: [
      ['main', 'temp'],
      ['main', 'humidity'],
      ['weather', 0, 'id'],
      ['wind', 'speed'],
    ],
    optional: [
      ['feels_like', ['main', 'feels_like']],
      ['pressure', ['main', 'pressure']],
      ['cloud_cover', ['clouds', 'all']],
      ['wind_direction', ['wind', 'deg']],
      ['wind_gusts', ['wind', 'gust']],
      ['visibility', ['visibility']],
    ],
    conditions: ({ visibility }) => ({ visibility }),
    daily: {
      path: PATHS.openWeatherMapForecast,
      minDays: 4,
      hasWholeToday: false,
      values: [
        ['list', 12, 'main', 'temp'],
        ['list', 12, 'weather', 0, 'id'],
        ['list', 12, 'pop'],
      ],
      lacks: () => ['uv_index_max'],
      optional: [
        ['wind_speed_max', ['list', 12, 'wind', 'speed']],
        ['wind_gusts_max', ['list', 12, 'wind', 'gust']],
      ],
    },
  },
  'met-norway': {
    path: PATHS.metNorway,
    create: (client, baseUrl) =>
      createMetNorway({ client, onDeprecated: () => undefined, baseUrl }),
    agesMs: [20 * DAY_MS, -4 * HOUR_MS],
    values: [
      [...NOW, 'instant', 'details', 'air_temperature'],
      [...NOW, 'instant', 'details', 'relative_humidity'],
      [...NOW, 'instant', 'details', 'wind_speed'],
    ],
    optional: [
      ['dew_point', [...NOW, 'instant', 'details', 'dew_point_temperature']],
      ['pressure', [...NOW, 'instant', 'details', 'air_pressure_at_sea_level']],
      ['cloud_cover', [...NOW, 'instant', 'details', 'cloud_area_fraction']],
      ['precipitation', [...NOW, 'next_1_hours', 'details', 'precipitation_amount']],
      ['wind_direction', [...NOW, 'instant', 'details', 'wind_from_direction']],
    ],
    conditions: (weather) => ({
      feels_like: computed(weather.temperature, weather.humidity + 0.3, weather.windMs),
      ...(isNordic(weather) ? {} : { wind_gusts: null }),
    }),
    daily: {
      path: PATHS.metNorway,
      minDays: 6,
      hasWholeToday: false,
      values: [
        [...LATER, 'instant', 'details', 'air_temperature'],
        [...LATER, 'next_6_hours', 'details', 'air_temperature_min'],
        [...LATER, 'next_6_hours', 'details', 'air_temperature_max'],
      ],
      lacks: (point, date) => [
        'uv_index_max',
        ...(isNordic(point) && isHourly(point, date) ? [] : ['wind_gusts_max']),
        ...lacksOfMet(point, 'precipitation_probability'),
      ],
      optional: [
        ['precipitation', [...LATER, 'next_6_hours', 'details', 'precipitation_amount']],
        ['wind_speed_max', [...LATER, 'instant', 'details', 'wind_speed']],
      ],
    },
    hourly: {
      path: PATHS.metNorway,
      lacks: (point) => lacksOfMet(point, 'precipitation_probability', 'wind_gusts'),
      feelsLike: feelsLikeOfHour,
      values: [[...HOUR, 'instant', 'details', 'air_temperature']],
      optional: [
        ['humidity', [...HOUR, 'instant', 'details', 'relative_humidity']],
        ['cloud_cover', [...HOUR, 'instant', 'details', 'cloud_area_fraction']],
        ['precipitation', [...HOUR, 'next_1_hours', 'details', 'precipitation_amount']],
        ['wind_speed', [...HOUR, 'instant', 'details', 'wind_speed']],
        ['wind_direction', [...HOUR, 'instant', 'details', 'wind_from_direction']],
      ],
    },
  },
  'weather-gov': {
    path: PATHS.weatherGov,
    create: (client, baseUrl) => createWeatherGov({ client, baseUrl, clock: systemClock }),
    values: [
      ['properties', 'temperature', 'value'],
      ['properties', 'relativeHumidity', 'value'],
      ['properties', 'windSpeed', 'value'],
    ],
    optional: [
      ['dew_point', ['properties', 'dewpoint', 'value']],
      ['pressure', ['properties', 'seaLevelPressure', 'value']],
      ['wind_direction', ['properties', 'windDirection', 'value']],
      ['wind_gusts', ['properties', 'windGust', 'value']],
      ['visibility', ['properties', 'visibility', 'value']],
    ],
    conditions: ({ temperature, feelsLike, rain, visibility }) => ({
      feels_like: temperature < 10 || temperature > 21 ? feelsLike : temperature,
      cloud_cover: null,
      precipitation: rain === 0 ? null : rain,
      visibility,
    }),
    daily: {
      path: PATHS.weatherGovForecast,
      minDays: 5,
      hasWholeToday: false,
      values: [
        ['properties', 'periods', 4, 'temperature'],
        ['properties', 'periods', 4, 'probabilityOfPrecipitation', 'value'],
      ],
      lacks: () => ['precipitation', 'wind_gusts_max', 'uv_index_max'],
      optional: [],
    },
    hourly: {
      path: PATHS.weatherGovHourly,
      lacks: () => ['cloud_cover', 'precipitation', 'wind_gusts'],
      feelsLike: feelsLikeOfHour,
      values: [[...PERIOD, 'temperature']],
      optional: [
        ['humidity', [...PERIOD, 'relativeHumidity', 'value']],
        ['precipitation_probability', [...PERIOD, 'probabilityOfPrecipitation', 'value']],
      ],
    },
  },
};

for (const [name] of PROVIDERS) {
  const underTest = { name, ...CASES[name] };
  weatherProviderContract(underTest);
  providerDataContract(underTest);
}
