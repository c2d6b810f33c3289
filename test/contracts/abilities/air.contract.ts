import assert from 'node:assert/strict';
import { it } from 'node:test';
import { attributionOf } from '../../../src/config/providers.js';
import type { RawValues } from '../../../src/weather/kinds/values.js';
import { assertEach } from '../../support/assert-each.js';
import { stubAir, stubEuropeanIndex } from '../../support/stub-provider-air.js';
import { stubWeather, type StubWeather } from '../../support/stub-provider.js';
import { TEST_TIME } from '../../support/test-time.js';
import { without } from '../../support/without.js';
import { HERE, POINTS, sentFor, type ProviderFixture, type UnderTest } from '../ability.js';

const HOUR_MS = 3_600_000;

/** What differs between the providers. */
export interface AirUnderTest extends UnderTest {
  /** The value of `us_aqi`. */
  usIndex: (weather: StubWeather) => number | null;
}

/** Tests the air quality of a provider. */
export function testAir(fixture: ProviderFixture, { path, usIndex }: AirUnderTest): void {
  const ask = (point = HERE) => fixture.provider.air!(point, new AbortController().signal);

  it('supplies concentrations, and the European index of the worst of them', async () => {
    const responses = await Promise.all(POINTS.map((point) => ask(point)));
    const expected = POINTS.map((point) => {
      const weather = stubWeather(...sentFor(point));
      const air = stubAir({ ...weather, wind: weather.windMs });
      const { pm2_5, pm10, o3: ozone, no2: nitrogen_dioxide, so2: sulphur_dioxide } = air;
      return {
        time: Math.floor(TEST_TIME / HOUR_MS) * HOUR_MS,
        european_aqi: stubEuropeanIndex(air),
        us_aqi: usIndex(weather),
        ...{ pm2_5, pm10, ozone, nitrogen_dioxide, sulphur_dioxide, carbon_monoxide: air.co },
      };
    });
    const got = responses.map(({ value }) => without({ ...value }, 'resolution_km') as RawValues);
    assertEach(got, expected);
  });

  it('has no data if every value is missing, or the hour is old', async () => {
    fixture.stub.damage(sentFor(HERE).join(), { ageMs: 4 * HOUR_MS });
    await fixture.fails(ask, 'no_data');
    assert.equal(fixture.stub.count(path), 1);
  });

  it('has an attribution with a link', () => {
    assert.match(attributionOf(fixture.name, 'air') ?? '', /^[\x20-\x7e]+ <https:\/\/[^ >]+>/);
  });
}
