import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { UpstreamError } from '../../../src/weather/errors.js';
import { attributionOf } from '../../../src/config/providers.js';
import { conditionOf } from '../../../src/weather/conditions/conditions.js';
import { CURRENT_QUANTITIES } from '../../../src/weather/kinds/current-weather.js';
import type { ZonedPoint } from '../../../src/weather/types.js';
import { assertEach } from '../../support/assert-each.js';
import { assertWithin } from '../../support/assert-within.js';
import { eventually } from '../../support/eventually.js';
import { without } from '../../support/without.js';
import { nullsOf, withWords, type CurrentWeather } from '../../support/steps.js';
import { TEST_TIME } from '../../support/test-time.js';
import {
  oneDecimal,
  stubWeather,
  type Behavior,
  type StubWeather,
} from '../../support/stub-provider.js';
import { USER_AGENT } from '../../support/use-stub-provider.js';
import { HERE, POINTS, sentFor, type ProviderFixture, type UnderTest } from '../ability.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HERE_KEY = sentFor(HERE).join();

/** What differs between the providers. */
export interface CurrentUnderTest extends UnderTest {
  /** Milliseconds by which the data can be too old or too early. Forecasts are good for days. */
  agesMs?: number[];
  /** The failure of weather that is not usable. */
  badWeather?: UpstreamError['kind'];
  /** Whether a call is about an area, so that its URL does not contain the point. */
  callsAreas?: boolean;
  /** The conditions in which it differs from the other providers. */
  conditions?: (weather: StubWeather) => Partial<CurrentWeather>;
}

/** One failure of each kind. The other failures are tested with the client, in `test/upstream/`. */
const FAILING: [string, Behavior, UpstreamError['kind']][] = [
  ['a 500', { kind: 'status', status: 500, body: '<html>' }, 'unavailable'],
  ['a 405', { kind: 'status', status: 405, body: 'no' }, 'bad_answer'],
  ['a 429 in HTML', { kind: 'status', status: 429, body: '<html>' }, 'quota'],
];

/** Tests the current weather of a provider. */
export function testCurrent(fixture: ProviderFixture, underTest: CurrentUnderTest): void {
  const { path, conditions = () => ({}) } = underTest;
  const { agesMs = [4 * HOUR_MS, 4 * DAY_MS, -4 * HOUR_MS] } = underTest;
  const { badWeather = 'no_data' } = underTest;

  const ask = (point: ZonedPoint = HERE, signal = new AbortController().signal) =>
    fixture.provider.current!(point, signal);

  it('supplies the current weather of each point in the units of the contract', async () => {
    fixture.stub.world.stations.push(...POINTS.map(sentFor));
    const responses = await Promise.all(POINTS.map((point) => ask(point)));
    const got = responses.map(({ value }) => value);
    const expected = POINTS.map((point) => {
      const weather = stubWeather(...sentFor(point));
      return {
        ...nullsOf(CURRENT_QUANTITIES),
        temperature: weather.temperature,
        condition: weather.sky.text,
        humidity: weather.humidity,
        wind_speed: weather.windKmh,
        feels_like: weather.feelsLike,
        dew_point: weather.dewPoint,
        pressure: weather.pressure,
        cloud_cover: weather.clouds,
        precipitation: weather.rain,
        wind_direction: Math.round(weather.direction),
        wind_gusts: oneDecimal(weather.gustMs * 3.6),
        ...conditions(weather),
      };
    });
    assertEach(
      got.map((weather) => without({ ...withWords(weather) }, 'time', 'station')),
      expected,
    );
    for (const { time } of got) assertWithin(time, TEST_TIME - HOUR_MS, TEST_TIME);
  });

  it('has its configured name, conditions with a WMO code, and an attribution with a link', async () => {
    assert.equal(fixture.provider.name, fixture.name);
    assert.notEqual(conditionOf((await ask()).value.weather_code), 'Unknown');
    assert.match(attributionOf(fixture.name, 'current') ?? '', /^[\x20-\x7e]+ <https:\/\/[^ >]+>/);
  });

  it('is called with at most four decimals, no exponent, and the User-Agent', async () => {
    fixture.stub.world.stations.push(...POINTS.map(sentFor));
    await Promise.all(POINTS.map((point) => ask(point)));
    const calls = fixture.stub.calls.filter((call) => call.path === path);
    for (const call of fixture.stub.calls) {
      assert.equal(call.headers['user-agent'], USER_AGENT);
      assert.doesNotMatch(decodeURIComponent(call.url), /\d\.\d{5}|\de[-+]?\d/);
    }
    if (underTest.callsAreas) return;
    assert.deepEqual(calls.map((call) => call.key).sort(), [
      '-33.8678,151.2073',
      '0,0',
      '0,0',
      '51.5085,-0.1257',
      '51.5085,-0.1262',
      '59.9127,10.7461',
      '90,-180',
    ]);
  });

  for (const [what, behaviour, kind] of FAILING) {
    it(`fails after ${what}`, async () => {
      fixture.stub.behave(path, behaviour);
      await fixture.fails(ask, kind);
      assert.equal(fixture.stub.count(path), 1);
    });
  }

  it('rejects with the reason of the signal', async () => {
    fixture.stub.behave(path, { kind: 'hang' });
    const controller = new AbortController();
    const reason = new Error('gone');
    const call = ask(HERE, controller.signal);
    call.catch(() => undefined);
    await eventually(() => fixture.stub.count(path) === 1, 'the call');
    controller.abort(reason);
    await assert.rejects(call, (error) => error === reason);
  });

  for (const ageMs of agesMs) {
    it(`fails if it is ${ageMs / HOUR_MS} hours old`, async () => {
      fixture.stub.damage(HERE_KEY, { ageMs });
      await fixture.fails(ask, badWeather);
    });
  }

  it('has the reference time of its response', async () => {
    assert.equal((await ask()).referenceTime, TEST_TIME);
  });
}
