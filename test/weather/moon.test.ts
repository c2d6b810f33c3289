import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { timeZoneAt } from '../../src/providers/time-zone.js';
import { createMoon } from '../../src/weather/time/moon.js';
import type { Point } from '../../src/weather/types.js';
import { assertWithin } from '../support/assert-within.js';

const DAY_MS = 86_400_000;
const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const GREENWICH = at(51.4769, 0);
const TROMSO = at(69.6489, 18.9551);
const PLACES = [at(0, 0), GREENWICH, at(-36.85, 174.76), at(21.31, -157.86), at(1.9867, -157.4763)];

/**
 * New and full moons in UTC (US Naval Observatory, https://aa.usno.navy.mil/data/MoonPhases), with
 * those of the solar eclipses of 2026-02-17 and 2026-08-12, and of the lunar eclipses of 2026-03-03
 * and 2026-08-28.
 */
const NEW_MOONS =
  '2026-01-18T19:52 2026-02-17T12:01 2026-03-19T01:23 2026-04-17T11:52 2026-05-16T20:01 2026-06-15T02:54 ' +
  '2026-07-14T09:44 2026-08-12T17:37 2026-09-11T03:27 2026-10-10T15:50 2026-11-09T07:02 2026-12-09T00:52';
const FULL_MOONS =
  '2026-01-03T10:03 2026-02-01T22:09 2026-03-03T11:38 2026-04-02T02:12 2026-05-01T17:23 2026-05-31T08:45 ' +
  '2026-06-29T23:57 2026-07-29T14:36 2026-08-28T04:18 2026-09-26T16:49 2026-10-26T04:12 2026-11-24T14:53 ' +
  '2026-12-24T01:28';
const instants = (texts: string) => texts.split(' ').map((text) => Date.parse(`${text}Z`));

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
      const days = YEAR.map((date) => [date, moonOn(date)] as const);
      for (const name of ['moonrise', 'moonset'] as const) {
        const times = days.map(([date, day]) => [date, day[name]] as const);
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

  it('are those of an almanac where the moon rises or sets twice on a day of UTC', () => {
    // Calculated with the package astronomy-engine.
    const almanac: [Point, 'moonrise' | 'moonset', string][] = [
      [TROMSO, 'moonrise', '2027-05-06T01:35'],
      [TROMSO, 'moonset', '2027-05-18T01:30'],
      [at(78.22, 15.64), 'moonset', '2027-04-20T01:24'],
      [at(71.29, -156.79), 'moonset', '2026-11-07T14:16'],
      [at(71.29, -156.79), 'moonrise', '2026-12-14T14:26'],
      [at(67.85, 20.2), 'moonset', '2027-05-18T01:46'],
      [at(65, 25.5), 'moonset', '2027-05-17T03:00'],
    ];
    for (const [point, name, expected] of almanac) {
      const time = createMoon(point, timeZoneAt(point))(expected.slice(0, 10))[name];
      assertWithin((Date.parse(`${time}Z`) - Date.parse(`${expected}Z`)) / 60_000, -2, 2);
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
