import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hoursOfPeriods } from '../../../src/providers/weather-gov/weather-gov-hours.js';
import {
  celsiusOf,
  degreesOfCompass,
  windSpeedOf,
} from '../../../src/providers/weather-gov/weather-gov-quantities.js';

const NOW = Date.parse('2026-11-01T05:20:00Z');

const period = (startTime: string, more: object = {}) => ({
  startTime,
  ...{ temperature: 50, temperatureUnit: 'F', windSpeed: '10 mph', windDirection: 'SSW' },
  icon: 'https://api.weather.gov/icons/land/night/rain,25?size=small',
  shortForecast: 'Light Rain',
  ...more,
});
const hoursOf = (...periods: unknown[]) =>
  hoursOfPeriods('weather-gov', { properties: { periods } }, NOW);

describe('the hourly periods of api.weather.gov', () => {
  it('are instants, also where a local hour occurs twice', () => {
    const hours = hoursOf(
      period('2026-11-01T01:00:00-04:00'),
      period('2026-11-01T01:00:00-05:00'),
      period('2026-11-01T02:00:00-05:00'),
    );
    assert.deepEqual(
      hours.map(({ time }) => new Date(time).toISOString().slice(11, 16)),
      ['05:00', '06:00', '07:00'],
    );
  });

  it('have their values in the units of the contract', () => {
    const [plain, quantities] = hoursOf(
      period('2026-11-01T01:00:00-04:00', {
        probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: null },
        relativeHumidity: { unitCode: 'wmoUnit:percent', value: 87 },
        windGust: null,
      }),
      period('2026-11-01T01:00:00-05:00', {
        temperature: { unitCode: 'wmoUnit:degC', value: 12.5 },
        temperatureUnit: undefined,
        windSpeed: { unitCode: 'wmoUnit:km_h-1', minValue: 5, maxValue: 20 },
        windGust: { unitCode: 'wmoUnit:km_h-1', value: 44 },
        windDirection: '',
        icon: null,
      }),
    );
    assert.deepEqual(plain, {
      time: Date.parse('2026-11-01T05:00Z'),
      ...{ temperature: 10, humidity: 87, windSpeed: 16.09344, windDirection: 202.5 },
      ...{ condition: 'Slight rain', feelsLike: 10 },
      ...{ precipitationProbability: null, windGusts: undefined },
    });
    assert.deepEqual(quantities, {
      time: Date.parse('2026-11-01T06:00Z'),
      ...{ temperature: 12.5, humidity: undefined, windSpeed: 20, windDirection: undefined },
      ...{ condition: undefined, feelsLike: 12.5 },
      ...{ precipitationProbability: undefined, windGusts: 44 },
    });
  });

  it('are validated only for the next hours, and their times always', () => {
    assert.deepEqual(hoursOf({ startTime: '2026-11-20T01:00:00-04:00', temperature: true }), []);
    for (const bad of [
      { startTime: 'now' },
      7,
      period('2026-11-01T01:00:00-04:00', { temperature: '50' }),
      period('2026-11-01T01:00:00-04:00', { windSpeed: 10 }),
      period('2026-11-01T01:00:00-04:00', { relativeHumidity: 87 }),
    ]) {
      assert.throws(() => hoursOf(bad), { kind: 'bad_answer' }, JSON.stringify(bad));
    }
  });
});

describe('the quantities of api.weather.gov', () => {
  it('are wind speeds in words, of which the upper end counts, or objects', () => {
    const speeds = ['0 mph', '15 km/h', '5 to 10 km/h', '10 to 100 km/h', '9 to 10 km/h'];
    assert.deepEqual(speeds.map(windSpeedOf), [0, 15, 10, 100, 10]);
    assert.equal(windSpeedOf('10 mph'), 16.09344);
    for (const unknown of ['', '10 knots', 'breezy', '-5 mph', '5 to mph', null, undefined]) {
      assert.equal(windSpeedOf(unknown), undefined, String(unknown));
    }
    assert.equal(windSpeedOf({ unitCode: 'wmoUnit:m_s-1', value: 10 }), 36);
    assert.equal(windSpeedOf({ unitCode: 'new', value: 10 }), undefined);
    assert.equal(windSpeedOf({ unitCode: 'wmoUnit:km_h-1', value: null }), undefined);
  });

  it('are points of the compass, and temperatures in the unit of the period or in their own', () => {
    const degrees = ['N', 'NNE', 'E', 'SW', 'NNW', '', 'n', null].map(degreesOfCompass);
    assert.deepEqual(degrees, [0, 22.5, 90, 225, 337.5, undefined, undefined, undefined]);
    assert.deepEqual([celsiusOf(50, 'F'), celsiusOf(10, 'C')], [10, 10]);
    assert.deepEqual([celsiusOf(50, 'K'), celsiusOf(null, 'F')], [undefined, undefined]);
    assert.equal(celsiusOf({ unitCode: 'wmoUnit:degF', value: 50 }, 'C'), 10);
  });
});
