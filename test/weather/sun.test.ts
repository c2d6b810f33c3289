import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startOf, sunTimes } from '../../src/providers/sun-times.js';
import { timeZoneAt } from '../../src/providers/time-zone.js';
import { isDaylight } from '../../src/weather/daylight.js';
import { assertWithin } from '../support/assert-within.js';

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const LONDON = at(51.5085, -0.1257);
const SYDNEY = at(-33.8679, 151.2073);
const NEW_YORK = at(40.7143, -74.006);
const REYKJAVIK = at(64.1355, -21.8954);
const TROMSO = at(69.6489, 18.9551);
const MCMURDO = at(-77.8419, 166.6863);
const KIRITIMATI = at(1.9867, -157.4763);
const PAGO_PAGO = at(-14.2781, -170.7025);

/** Times of almanacs, which differ by up to two minutes from one another. */
const ALMANAC: [name: string, point: typeof LONDON, date: string, rise: string, set: string][] = [
  ['London', LONDON, '2026-06-21', '2026-06-21T04:43', '2026-06-21T21:21'],
  ['Sydney', SYDNEY, '2026-12-21', '2026-12-21T05:41', '2026-12-21T20:05'],
  // The last day of daylight saving time, and the day of the change.
  ['New York', NEW_YORK, '2026-10-31', '2026-10-31T07:24', '2026-10-31T17:53'],
  ['New York', NEW_YORK, '2026-11-01', '2026-11-01T06:25', '2026-11-01T16:52'],
  // The sun sets after midnight.
  ['Reykjavík', REYKJAVIK, '2026-06-21', '2026-06-21T02:55', '2026-06-22T00:04'],
  // On both sides of the date line.
  ['Kiritimati', KIRITIMATI, '2026-03-20', '2026-03-20T06:34', '2026-03-20T18:41'],
  ['Pago Pago', PAGO_PAGO, '2026-03-20', '2026-03-20T06:27', '2026-03-20T18:34'],
];

const minutes = (time = '') => Date.parse(`${time}Z`) / 60_000;

describe('sunrise and sunset', () => {
  for (const [name, point, date, rise, set] of ALMANAC) {
    it(`are at the times of almanacs in ${name} on ${date}`, () => {
      const { sunrise, sunset } = sunTimes(point, timeZoneAt(point), date);
      assertWithin(minutes(sunrise) - minutes(rise), -3, 3);
      assertWithin(minutes(sunset) - minutes(set), -3, 3);
    });
  }

  it('are right to a second by the formulas of the Astronomical Almanac', () => {
    const sunrise = Date.parse('2026-02-18T07:08:03Z');
    const isUp = [sunrise - 1000, sunrise].map((now) => isDaylight(at(51.4769, 0), now));
    assert.deepEqual(isUp, [false, true]);
  });

  it('has a sunset without a sunrise on the last day of polar day', () => {
    const times = sunTimes(at(67, 0), 'Etc/GMT', '2026-07-10');
    assert.deepEqual(times, { sunrise: undefined, sunset: '2026-07-10T23:52' });
  });

  it('are missing during polar day and polar night, also at the poles', () => {
    const never = { sunrise: undefined, sunset: undefined };
    for (const point of [TROMSO, MCMURDO, at(90, 0), at(-90, 0)]) {
      for (const date of ['2026-06-21', '2026-12-21']) {
        assert.deepEqual(sunTimes(point, timeZoneAt(point), date), never);
      }
    }
  });
});

describe('the start of a date', () => {
  const ROWS: [timeZone: string, date: string, begins: string][] = [
    ['Pacific/Kiritimati', '2026-11-24', '2026-11-23T10:00Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00Z'],
    ['America/Nowhere', '2026-11-24', '2026-11-24T00:00Z'],
  ];
  for (const [timeZone, date, begins] of ROWS) {
    it(`is ${begins} for ${date} in ${timeZone}`, () => {
      assert.equal(startOf(date, timeZone), Date.parse(begins));
    });
  }
});
