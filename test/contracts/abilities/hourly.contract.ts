import assert from 'node:assert/strict';
import { it } from 'node:test';
import { feelsLike } from '../../../src/weather/feels-like.js';
import {
  HOURLY_QUANTITIES,
  type HourlyWeather,
} from '../../../src/weather/kinds/hourly-forecast.js';
import { roundedPlausibleValue, type Quantity } from '../../../src/weather/kinds/quantities.js';
import type { Point, ZonedPoint } from '../../../src/weather/types.js';
import { assertEach } from '../../support/assert-each.js';
import { nullsOf, stepsIn, type StepWithWords } from '../../support/steps.js';
import { kmhOfMph, oneDecimal, stubHour, stubWeather } from '../../support/stub-provider.js';
import { TEST_TIME } from '../../support/test-time.js';
import { HERE, POINTS, sentFor, type ProviderFixture, type UnderTest } from '../ability.js';

const HOUR_MS = 3_600_000;

type Hour = StepWithWords<HourlyWeather>;

/** What differs between the providers. */
export interface HourlyUnderTest extends UnderTest {
  /** How many hours there are at least. */
  minHours: number;
  /** The members that it does not have at a point. */
  lacks?: (point: Point) => Quantity[];
  /** Whether the service computes how warm it feels. */
  computesFeelsLike?: boolean;
}

/** The service computes it from values that are not rounded. */
const computed = ({ temperature, humidity, wind_speed, feels_like }: Hour) => {
  const expected = roundedPlausibleValue(
    'feels_like',
    feelsLike(temperature, humidity, wind_speed),
  );
  return Math.abs((expected ?? 0) - (feels_like ?? 0)) < 0.11 ? feels_like : expected;
};

/** Tests the hourly forecast of a provider. */
export function testHourly(fixture: ProviderFixture, hourly: HourlyUnderTest): void {
  const ask = async (point: ZonedPoint = HERE) => {
    const { value } = await fixture.provider.hourly!(point, new AbortController().signal);
    return stepsIn(value);
  };

  it('supplies the hours of each point with the same meaning as the other providers', async () => {
    for (const point of POINTS) {
      const here = stubWeather(...sentFor(point));
      const lacks = hourly.lacks?.(point) ?? [];
      // The current hour has the current weather.
      const [first, ...hours] = await ask(point);
      assert.equal(first?.time, Math.floor(TEST_TIME / HOUR_MS) * HOUR_MS);
      assert.ok(hours.length >= hourly.minHours - 1);
      const expected = hours.map((hour, index) => {
        const at = first.time + (index + 1) * HOUR_MS;
        const truth = stubHour(here, at);
        const complete = {
          ...nullsOf(HOURLY_QUANTITIES),
          time: at,
          temperature: truth.temperature,
          condition: truth.sky.text,
          feels_like: hourly.computesFeelsLike ? computed(hour) : truth.feelsLike,
          humidity: truth.humidity,
          cloud_cover: truth.clouds,
          precipitation: truth.rain,
          precipitation_probability: truth.probability,
          wind_speed: kmhOfMph(truth.windMph),
          wind_direction: Math.round(truth.direction),
          wind_gusts: oneDecimal(truth.gustMs * 3.6),
        };
        return { ...complete, ...Object.fromEntries(lacks.map((member) => [member, null])) };
      });
      assertEach(hours, expected);
    }
  });
}
