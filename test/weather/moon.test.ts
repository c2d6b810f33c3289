import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { timeZoneAt } from '../../src/providers/time-zone.js';
import { createMoon } from '../../src/weather/moon.js';
import { sunTimes } from '../../src/weather/sun.js';
import { assertWithin } from '../support/assert-within.js';

const DAY_MS = 86_400_000;
const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const GREENWICH = at(51.4769, 0);
const TROMSO = at(69.6489, 18.9551);
const PLACES = [at(0, 0), GREENWICH, at(-36.85, 174.76), at(21.31, -157.86), at(1.9867, -157.4763)];

/** New and full moons of 2026 in UTC, from almanacs. */
const NEW_MOONS =
  '01-18T19:52 02-17T12:01 03-19T01:23 04-17T11:52 05-16T20:01 06-15T02:54 07-14T09:44 08-12T17:37 ' +
  '09-11T03:27 10-10T15:50 11-09T07:02 12-09T00:52';
const FULL_MOONS =
  '01-03T10:03 02-01T22:09 03-03T11:38 04-02T02:12 05-01T17:23 05-31T08:45 06-29T23:57 07-29T14:36 ' +
  '08-28T04:18 09-26T16:49 10-26T04:12 11-24T14:53 12-24T01:28';
const instants = (texts: string) => texts.split(' ').map((text) => Date.parse(`2026-${text}Z`));

const dates = (from: number, count: number) =>
  Array.from({ length: count }, (_, day) =>
    new Date(from + day * DAY_MS).toISOString().slice(0, 10),
  );
const YEAR = dates(Date.UTC(2026, 0, 1), 365);

describe('the phase of the moon', () => {
  const phaseAt = (date: string) => createMoon(GREENWICH, 'Etc/GMT')(date).moon_phase!;
  /** The part of a month by which a phase differs from another one. */
  const apart = (phase: number, other: number) => {
    const difference = Math.abs(phase - other) % 1;
    return Math.min(difference, 1 - difference);
  };
  /** Noon is at most half a day from the instant; the moon is not as fast on each day. */
  const TOLERANCE = 0.5 / 29.53 + 0.02;

  for (const [name, texts, phase] of [
    ['new', NEW_MOONS, 0],
    ['full', FULL_MOONS, 0.5],
  ] as const) {
    it(`is ${phase} on the dates of all ${name} moons of a year`, () => {
      for (const instant of instants(texts)) {
        const date = new Date(instant).toISOString().slice(0, 10);
        assertWithin(apart(phaseAt(date), phase), 0, TOLERANCE);
      }
    });
  }

  it('grows from new moon to new moon, and has two decimals', () => {
    const phases = YEAR.map(phaseAt);
    for (const [index, phase] of phases.slice(1).entries()) {
      assertWithin(phase - phases[index]! + (phase < phases[index]! ? 1 : 0), 0.02, 0.06);
      assert.equal(phase, Math.round(phase * 100) / 100);
    }
  });

  it('is the same in every place at one instant, and is that at local noon', () => {
    const here = createMoon(at(-36.85, 174.76), 'Pacific/Auckland')('2026-01-26').moon_phase!;
    const there = createMoon(at(21.31, -157.86), 'Pacific/Honolulu')('2026-01-25').moon_phase!;
    assertWithin(apart(here, there), 0, 0.01);
  });
});

describe('moonrise and moonset', () => {
  it('lie on their dates, each about 25 hours after the one before, in every time zone', () => {
    for (const point of PLACES) {
      const moonOn = createMoon(point, timeZoneAt(point));
      for (const name of ['moonrise', 'moonset'] as const) {
        const times = YEAR.map((date) => [date, moonOn(date)[name]] as const);
        for (const [date, time] of times) assert.ok(time === null || time.startsWith(date));
        const found = times.flatMap(([, time]) => (time === null ? [] : Date.parse(`${time}Z`)));
        assertWithin(found.length, 350, 354);
        for (const [index, time] of found.slice(1).entries()) {
          // A clock can change by an hour.
          assertWithin((time - found[index]!) / 3_600_000, 23, 26.8);
        }
      }
    }
  });

  it('are near sunset and sunrise at full moon', () => {
    const minutes = (time: string | null) => Date.parse(`${time}Z`) / 60_000;
    for (const instant of instants(FULL_MOONS)) {
      const date = new Date(instant).toISOString().slice(0, 10);
      const { moonrise, moonset } = createMoon(at(0, 0), 'Etc/GMT')(date);
      const { sunrise, sunset } = sunTimes(at(0, 0), 'Etc/GMT', date);
      if (moonrise !== null) assertWithin(minutes(moonrise) - minutes(sunset), -75, 75);
      if (moonset !== null) assertWithin(minutes(moonset) - minutes(sunrise), -75, 75);
    }
  });

  it('do not exist for days beyond the polar circle', () => {
    const moonOn = createMoon(TROMSO, 'Europe/Oslo');
    const without = YEAR.filter((date) => moonOn(date).moonrise === null);
    assertWithin(without.length, 120, 220);
    const pole = createMoon(at(90, 0), 'Etc/GMT');
    const rises = YEAR.filter((date) => pole(date).moonrise !== null);
    assert.ok(rises.length <= 14, String(rises.length));
  });
});
