import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { timeZoneAt } from '../../src/providers/time-zone.js';
import { isDaylight, sunTimes } from '../../src/weather/time/sun.js';
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

const BERLIN = at(52.52, 13.405);
const LORD_HOWE = at(-31.55, 159.08);
const CHATHAM = at(-43.95, -176.55);
const SANTIAGO = at(-33.45, -70.67);
const CAIRO = at(30.04, 31.24);
const KATHMANDU = at(27.7, 85.3);
const LHASA = at(29.65, 91.11);
const APIA = at(-13.83, -171.77);

/** Times of almanacs, which differ by up to two minutes from one another. */
const ALMANAC: [name: string, point: typeof LONDON, date: string, rise: string, set: string][] = [
  ['London', LONDON, '2026-06-21', '2026-06-21T04:43', '2026-06-21T21:21'],
  ['Sydney', SYDNEY, '2026-12-21', '2026-12-21T05:41', '2026-12-21T20:05'],
  // The last day of daylight saving time, and the day of the change.
  ['New York', NEW_YORK, '2026-10-31', '2026-10-31T07:24', '2026-10-31T17:53'],
  ['New York', NEW_YORK, '2026-11-01', '2026-11-01T06:25', '2026-11-01T16:52'],
  ['Berlin', BERLIN, '2027-03-27', '2027-03-27T05:53', '2027-03-27T18:31'],
  ['Berlin', BERLIN, '2027-03-28', '2027-03-28T06:51', '2027-03-28T19:33'],
  // The clock changes by half an hour.
  ['Lord Howe', LORD_HOWE, '2027-04-03', '2027-04-03T06:36', '2027-04-03T18:18'],
  ['Lord Howe', LORD_HOWE, '2027-04-04', '2027-04-04T06:06', '2027-04-04T17:47'],
  ['Chatham', CHATHAM, '2027-09-25', '2027-09-25T06:16', '2027-09-25T18:31'],
  ['Chatham', CHATHAM, '2027-09-26', '2027-09-26T07:15', '2027-09-26T19:32'],
  // The clock changes at midnight: these dates have no hour 0.
  ['Santiago', SANTIAGO, '2027-09-05', '2027-09-05T07:56', '2027-09-05T19:28'],
  ['Cairo', CAIRO, '2027-04-30', '2027-04-30T06:13', '2027-04-30T19:32'],
  // Clocks that differ from the sun by half an hour, and by two hours.
  ['Kathmandu', KATHMANDU, '2026-12-21', '2026-12-21T06:50', '2026-12-21T17:13'],
  ['Lhasa', LHASA, '2026-12-21', '2026-12-21T08:46', '2026-12-21T19:00'],
  // The sun sets after midnight.
  ['Reykjavík', REYKJAVIK, '2026-06-21', '2026-06-21T02:55', '2026-06-22T00:04'],
  // On both sides of the date line.
  ['Kiritimati', KIRITIMATI, '2026-03-20', '2026-03-20T06:34', '2026-03-20T18:41'],
  ['Apia', APIA, '2027-01-01', '2027-01-01T06:02', '2027-01-01T18:58'],
  ['Pago Pago', PAGO_PAGO, '2026-03-20', '2026-03-20T06:27', '2026-03-20T18:34'],
];

const minutes = (time: string | null) => Date.parse(`${time}Z`) / 60_000;

describe('sunrise and sunset', () => {
  for (const [name, point, date, rise, set] of ALMANAC) {
    it(`are at the times of almanacs in ${name} on ${date}`, () => {
      const { sunrise, sunset, day_length } = sunTimes(point, timeZoneAt(point), date);
      assertWithin(minutes(sunrise) - minutes(rise), -3, 3);
      assertWithin(minutes(sunset) - minutes(set), -3, 3);
      assert.equal(day_length / 60, minutes(sunset) - minutes(sunrise));
    });
  }

  it('are the times at which day and night begin', () => {
    for (const [, point, date] of ALMANAC) {
      const times = sunTimes(point, 'UTC', date);
      const [rise, set] = [times.sunrise, times.sunset].map((time) => Date.parse(`${time}Z`));
      const isDay = [rise! - 60_000, rise! + 60_000, set! - 60_000, set! + 60_000].map((instant) =>
        isDaylight(point, instant),
      );
      assert.deepEqual(isDay, [false, true, true, false], `${date} ${JSON.stringify(point)}`);
    }
  });

  it('belong to their date: the sunrise lies on it, and the sunset follows', () => {
    // Solar midnight is at 23:30 here, so in late May the sun rises before and after midnight.
    const dates = Array.from({ length: 60 }, (_, day) =>
      new Date(Date.UTC(2027, 4, 1) + day * 86_400_000).toISOString().slice(0, 10),
    );
    for (const date of dates) {
      const { sunrise, sunset } = sunTimes(at(66.2, 7), 'Etc/GMT', date);
      assert.ok(sunrise === null || sunrise.startsWith(date), `${date}: ${sunrise}`);
      assert.ok(sunset === null || sunset > (sunrise ?? date), `${date}: ${sunrise} ${sunset}`);
    }
  });

  it('are right to a second by the formulas of the Astronomical Almanac', () => {
    const sunrise = Date.parse('2026-02-18T07:08:03Z');
    const isUp = [sunrise - 2000, sunrise + 2000].map((now) => isDaylight(at(51.4769, 0), now));
    assert.deepEqual(isUp, [false, true]);
  });

  it('are missing where the sun does not cross the horizon at the end of a polar night or day', () => {
    // In Utqiagvik, the sun is up from 2026-05-10 to August (calculated with astronomy-engine).
    const utqiagvik = at(71.29, -156.79);
    const [first, second] = ['2026-05-10', '2026-05-11'].map((date) =>
      sunTimes(utqiagvik, timeZoneAt(utqiagvik), date),
    );
    assert.deepEqual([first?.sunset, second?.sunrise, second?.sunset], [null, null, null]);
    assertWithin(minutes(first!.sunrise) - minutes('2026-05-10T02:57'), -15, 15);
    assertWithin(first!.day_length, 83_000, 86_000);
    assert.equal(first!.day_length % 60, 0);
    assert.equal(second?.day_length, 86_400);
    // On 2026-08-01, the sun's lowest altitude is −0.6° (astronomy-engine): its upper part shows.
    assert.equal(sunTimes(utqiagvik, timeZoneAt(utqiagvik), '2026-08-01').day_length, 86_400);
  });

  it('are missing during polar day and polar night, also at the poles', () => {
    for (const point of [TROMSO, MCMURDO, at(90, 0), at(-90, 0)]) {
      for (const date of ['2026-06-21', '2026-12-21']) {
        const isUp = point.latitude > 0 === date.includes('-06-');
        assert.deepEqual(sunTimes(point, timeZoneAt(point), date), {
          ...{ sunrise: null, sunset: null, day_length: isUp ? 86_400 : 0 },
        });
      }
    }
  });
});

/** The first dates of midnight sun, of nights after it, of polar night, and of days after that. */
const POLAR: [name: string, point: typeof LONDON, first: string[]][] = [
  ['Murmansk', at(68.97, 33.08), ['05-22', '07-23', '12-02', '01-11']],
  ['Tromsø', TROMSO, ['05-18', '07-26', '11-27', '01-15']],
  ['Utqiaġvik', at(71.2906, -156.7886), ['05-11', '08-02', '11-18', '01-23']],
  ['Longyearbyen', at(78.2232, 15.6469), ['04-19', '08-24', '10-26', '02-15']],
  ['McMurdo', MCMURDO, ['10-24', '02-20', '04-24', '08-19']],
];

describe('the length of a day beyond the polar circle', () => {
  for (const [name, point, first] of POLAR) {
    it(`is a whole day and nothing on the dates of almanacs in ${name}`, () => {
      const [day, afterDay, night, afterNight] = first.map((date) => Date.parse(`2026-${date}`));
      const lengthOn = (instant: number, days: number) => {
        const date = new Date(instant + days * 86_400_000).toISOString().slice(0, 10);
        return sunTimes(point, timeZoneAt(point), date).day_length;
      };
      // The year of an almanac, and hills, move these dates by up to two days.
      assert.deepEqual([lengthOn(day!, 3), lengthOn(afterDay!, -3)], [86_400, 86_400]);
      assert.deepEqual([lengthOn(night!, 3), lengthOn(afterNight!, -3)], [0, 0]);
      for (const between of [
        ...[lengthOn(day!, -3), lengthOn(afterDay!, 3)],
        ...[lengthOn(night!, -3), lengthOn(afterNight!, 3)],
      ]) {
        assertWithin(between, 1, 86_399);
      }
    });
  }
});
