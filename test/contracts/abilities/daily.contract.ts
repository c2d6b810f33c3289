import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DAILY_QUANTITIES } from '../../../src/weather/kinds/daily-forecast.js';
import type { Quantity } from '../../../src/weather/kinds/quantities.js';
import type { Point, ZonedPoint } from '../../../src/weather/types.js';
import { assertEach } from '../../support/assert-each.js';
import { nullsOf, stepsIn } from '../../support/steps.js';
import { without } from '../../support/without.js';
import { stubForecast, type Damage } from '../../support/stub-provider.js';
import { TEST_TIME } from '../../support/test-time.js';
import { HERE, POINTS, sentFor, type ProviderFixture, type UnderTest } from '../ability.js';
import { zoned } from '../../support/zoned.js';

const DAY_MS = 86_400_000;
/** A point for which MET Norway has every value. */
const OSLO = zoned({ latitude: 59.9127, longitude: 10.7461 });
const OSLO_KEY = sentFor(OSLO).join();

/** What differs between the providers. */
export interface DailyUnderTest extends UnderTest {
  /** How many days after today there are at least. */
  minDays: number;
  /** Whether it has the extremes of all hours of today. */
  hasWholeToday: boolean;
  /** The members that it does not have at a point on a date. */
  lacks?: (point: Point, date: string) => Quantity[];
}

/** What can be wrong with a day. It is left out. */
const BAD_DAYS: [what: string, day: Omit<NonNullable<Damage['day']>, 'daysAhead'>][] = [
  ['no temperatures', { min: null, max: null }],
  ['temperatures below -200 °C', { min: -999, max: -998 }],
  ['temperatures above 80 °C', { min: 98, max: 99 }],
  ['no condition', { sky: null }],
];

/** The date at the point in some days. */
const dateAhead = (days: number) =>
  stubForecast(OSLO.latitude, OSLO.longitude, days + 1, TEST_TIME).days[days]!.date;

/** What the service computes for every provider. */
const COMPUTED = ['sunrise', 'sunset', 'day_length', 'moon_phase', 'moonrise', 'moonset'];

/** Tests the daily forecast of a provider. */
export function testDaily(fixture: ProviderFixture, daily: DailyUnderTest): void {
  const { lacks = () => [] } = daily;
  const ask = (point: ZonedPoint = HERE) =>
    fixture.provider.daily!(point, new AbortController().signal);
  const daysAt = async (point: ZonedPoint = HERE) => stepsIn((await ask(point)).value);

  it('supplies the days of each point in the units of the contract', async () => {
    for (const point of POINTS) {
      const expected = stubForecast(...sentFor(point), 16, TEST_TIME);
      const { value } = await ask(point);
      const days = stepsIn(value);
      assert.equal(value.timezone, expected.timezone);
      assert.ok(days.length <= 15);
      const start = daily.hasWholeToday ? 0 : 1;
      const compared = days.filter(({ date }) => date >= expected.days[start]!.date);
      assert.ok(compared.length >= daily.minDays, `${compared.length} days`);
      assertEach(
        compared.map((day) => without({ ...day }, ...COMPUTED)),
        expected.days.slice(start, start + compared.length).map((day) => ({
          ...without(nullsOf(DAILY_QUANTITIES), ...COMPUTED),
          ...day,
          ...Object.fromEntries(lacks(point, day.date).map((member) => [member, null])),
        })),
      );
    }
  });

  const dates = async () => (await daysAt(OSLO)).map(({ date }) => date);
  const dayAhead = async (daysAhead: number) =>
    (await daysAt(OSLO)).find(({ date }) => date === dateAhead(daysAhead));

  for (const [what, day] of BAD_DAYS) {
    it(`has all days but the one with ${what}`, async () => {
      const all = await dates();
      fixture.stub.damage(OSLO_KEY, { day: { daysAhead: 2, ...day } });
      const left = all.filter((date) => date !== dateAhead(2));
      assert.equal(left.length, all.length - 1);
      assert.deepEqual((await dates()).slice(0, left.length), left);
    });
  }

  it('has a day with an implausible probability, which is null', async () => {
    fixture.stub.damage(OSLO_KEY, { day: { daysAhead: 2, probability: 900 } });
    assert.equal((await dayAhead(2))?.precipitation_probability, null);
    fixture.stub.damage(OSLO_KEY, { day: { daysAhead: 2, probability: 103 } });
    assert.equal((await dayAhead(2))?.precipitation_probability, 100);
  });

  it('has the night as the maximum of a day if it is warmer', async () => {
    fixture.stub.damage(OSLO_KEY, { day: { daysAhead: 2, min: 20, max: 10 } });
    const day = await dayAhead(2);
    assert.deepEqual([day?.temperature_min, day?.temperature_max], [10, 20]);
  });

  it('has each date once if the service repeats a day', async () => {
    const all = await dates();
    fixture.stub.damage(OSLO_KEY, { repeatedDay: 2 });
    assert.deepEqual(await dates(), all);
  });

  it('fails if all days are over', async () => {
    fixture.stub.damage(OSLO_KEY, { ageMs: 20 * DAY_MS });
    await fixture.fails(() => ask(OSLO), 'no_data');
  });

  it('has the reference time of its response', async () => {
    assert.equal((await ask()).referenceTime, TEST_TIME);
  });
}
