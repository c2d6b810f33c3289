import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ServiceName } from '../../../src/config/providers.js';
import { feelsLike } from '../../../src/weather/feels-like.js';
import type { HourlyWeather } from '../../../src/weather/hourly-forecast.js';
import { plausible } from '../../../src/weather/quantities.js';
import type { Point } from '../../../src/weather/types.js';
import { stepsIn, type StepWithWords } from '../../support/steps.js';
import {
  isNordic,
  kmhOfMph,
  oneDecimal,
  PATHS,
  stubHour,
  stubWeather,
} from '../../support/stub-provider.js';
import {
  HERE,
  IMPLAUSIBLE,
  isCode,
  NO_OPTIONAL,
  POINTS,
  sentFor,
  testAbility,
  WRONG_TYPE,
  WRONG_TYPES,
  type Optional,
  type Path,
} from '../ability.js';

const HOUR_MS = 3_600_000;

type Hour = StepWithWords<HourlyWeather>;

interface HourlyUnderTest {
  /** How many hours there are at least. */
  minHours: number;
  /** The path of the stub provider that it calls. */
  path: string;
  /** The members that it does not have at a point. */
  lacks: (point: Point) => string[];
  /** How warm it feels in an hour, if it does not have that from the stub provider. */
  feelsLike?: (hour: Hour) => number | null;
  /** The paths of numbers without which an hour is left out. */
  values: Path[];
  /** The paths of numbers without which the member of one hour is null. */
  optional: Optional[];
}

/** The hour to which the values of `HourlyUnderTest` belong: the number of hours after the present one. */
const HOUR_OF_VALUES = 3;

/** The series of MET Norway begins an hour ago. */
const HOUR = ['properties', 'timeseries', 1 + HOUR_OF_VALUES, 'data'];
/** A period of api.weather.gov. */
const PERIOD = ['properties', 'periods', HOUR_OF_VALUES];

/** Outside of the Nordic area, MET Norway has no gusts and no probabilities. */
const lacksOfMet = (point: Point, ...members: string[]) => (isNordic(point) ? [] : members);

/** The service computes it from values that are not rounded. */
const feelsLikeOfHour = ({ temperature, humidity, wind_speed, feels_like }: Hour) => {
  const computed = plausible('feels_like', feelsLike(temperature, humidity, wind_speed));
  return Math.abs((computed ?? 0) - (feels_like ?? 0)) < 0.11 ? feels_like : computed;
};

const CASES: Partial<Record<ServiceName, HourlyUnderTest>> = {
  'open-meteo': {
    path: PATHS.openMeteo,
    minHours: 192,
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
  'met-norway': {
    path: PATHS.metNorway,
    minHours: 57,
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
  'weather-gov': {
    path: PATHS.weatherGovHourly,
    minHours: 155,
    lacks: () => ['cloud_cover', 'precipitation', 'wind_gusts'],
    feelsLike: feelsLikeOfHour,
    values: [[...PERIOD, 'temperature']],
    optional: [
      ['humidity', [...PERIOD, 'relativeHumidity', 'value']],
      ['precipitation_probability', [...PERIOD, 'probabilityOfPrecipitation', 'value']],
    ],
  },
};

testAbility('hourly', CASES, (fixture, hourly) => {
  const ask = async (point: Point = HERE) => {
    const { value } = await fixture.provider.hourly!(point, new AbortController().signal);
    return stepsIn(value);
  };

  it('supplies the hours of each point with the same meaning as the other providers', async () => {
    for (const point of POINTS) {
      const here = stubWeather(...sentFor(point));
      const lacks = hourly.lacks(point);
      // The present hour has the current weather.
      const [first, ...hours] = await ask(point);
      assert.equal(first?.time, Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
      assert.ok(hours.length >= hourly.minHours - 1);
      const expected = hours.map((hour, index) => {
        const at = first.time + (index + 1) * HOUR_MS;
        const truth = stubHour(here, at);
        const complete = {
          time: at,
          temperature: truth.temperature,
          condition: fixture.conditionOf(truth.sky.text),
          feels_like: hourly.feelsLike ? hourly.feelsLike(hour) : truth.feelsLike,
          humidity: truth.humidity,
          cloud_cover: truth.clouds,
          precipitation: truth.rain,
          precipitation_probability: truth.probability,
          wind_speed: kmhOfMph(truth.windMph),
          wind_direction: truth.windMph === 0 ? null : Math.round(truth.direction),
          wind_gusts: oneDecimal(truth.gustMs * 3.6),
        };
        return { ...complete, ...Object.fromEntries(lacks.map((member) => [member, null])) };
      });
      assert.deepEqual(hours, expected);
    }
  });

  for (const value of hourly.values) {
    it(`leaves out an hour without ${value.join('.')}`, async () => {
      const all = await ask();
      const body = await fixture.regular(ask);
      for (const text of WRONG_TYPES) {
        fixture.respondWith(hourly.path, body, value, text);
        await fixture.fails(ask, 'bad_answer', text);
      }
      for (const text of isCode(value) ? ['null'] : IMPLAUSIBLE) {
        fixture.respondWith(hourly.path, body, value, text);
        const left = all.filter((_, index) => index !== HOUR_OF_VALUES);
        assert.deepEqual((await ask()).slice(0, left.length), left, text);
      }
    });
  }

  for (const [member, value] of hourly.optional) {
    it(`has an hour with null for ${member} without ${value.join('.')}`, async () => {
      const body = await fixture.regular(ask);
      fixture.respondWith(hourly.path, body, value, WRONG_TYPE);
      await fixture.fails(ask, 'bad_answer');
      fixture.stub.behave(hourly.path);
      const all = await ask();
      for (const text of NO_OPTIONAL) {
        fixture.respondWith(hourly.path, body, value, text);
        const hours = await ask();
        const valueOf = (hour: Hour | undefined) => hour?.[member as keyof Hour];
        const isNull = hours.map(
          (hour, index) => valueOf(hour) === null && valueOf(all[index]) !== null,
        );
        assert.deepEqual(
          isNull.map((each, index) => (each ? index : -1)).filter((index) => index >= 0),
          [HOUR_OF_VALUES],
          text,
        );
        assert.equal(hours.length, all.length);
      }
    });
  }
});
