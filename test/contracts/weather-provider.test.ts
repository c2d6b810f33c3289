import { PROVIDERS, type ServiceName } from '../../src/config/providers.js';
import { createMetNorway } from '../../src/providers/met-norway/met-norway.js';
import { createOpenMeteo } from '../../src/providers/open-meteo/open-meteo.js';
import { createOpenWeatherMap } from '../../src/providers/openweathermap/openweathermap.js';
import { createWeatherGov } from '../../src/providers/weather-gov/weather-gov.js';
import { systemClock } from '../support/manual-clock.js';
import { metSymbol, PATHS } from '../support/stub-provider.js';
import { providerDataContract } from './provider-data.contract.js';
import {
  SECRET_KEY,
  weatherProviderContract,
  type ProviderUnderTest,
} from './weather-provider.contract.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The series of the stub provider begins an hour ago: the second step is the one for now. */
const NOW = ['properties', 'timeseries', 1, 'data'];
/** A step of six hours. */
const LATER = ['properties', 'timeseries', 70, 'data'];

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
    daily: {
      path: PATHS.openWeatherMapForecast,
      minDays: 4,
      hasWholeToday: false,
      values: [
        ['list', 12, 'main', 'temp'],
        ['list', 12, 'weather', 0, 'id'],
        ['list', 12, 'pop'],
      ],
    },
  },
  'met-norway': {
    path: PATHS.metNorway,
    create: (client, baseUrl) =>
      createMetNorway({ client, onDeprecated: () => undefined, baseUrl }),
    agesMs: [20 * DAY_MS, -4 * HOUR_MS],
    saysIsDay: (weather) => metSymbol(weather).includes('_'),
    values: [
      [...NOW, 'instant', 'details', 'air_temperature'],
      [...NOW, 'instant', 'details', 'relative_humidity'],
      [...NOW, 'instant', 'details', 'wind_speed'],
    ],
    daily: {
      path: PATHS.metNorwayForecast,
      minDays: 6,
      hasWholeToday: false,
      values: [
        [...LATER, 'instant', 'details', 'air_temperature'],
        [...LATER, 'next_6_hours', 'details', 'air_temperature_min'],
        [...LATER, 'next_6_hours', 'details', 'air_temperature_max'],
        [...LATER, 'next_6_hours', 'details', 'probability_of_precipitation'],
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
    daily: {
      path: PATHS.weatherGovForecast,
      minDays: 5,
      hasWholeToday: false,
      values: [
        ['properties', 'periods', 4, 'temperature'],
        ['properties', 'periods', 4, 'probabilityOfPrecipitation', 'value'],
      ],
    },
  },
};

for (const [name] of PROVIDERS) {
  const underTest = { name, ...CASES[name] };
  weatherProviderContract(underTest);
  providerDataContract(underTest);
}
