import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addDays,
  isDate,
  isTimeZone,
  localDate,
  localTime,
  noonOf,
  offsetTime,
} from '../../src/weather/time/local-time.js';

/** Instants before, at, and after changes of the clocks, and zones with unusual offsets. */
const TIMES: [zone: string, instant: string, expected: string][] = [
  ['Europe/Berlin', '2027-03-28T00:00Z', '2027-03-28T01:00+01:00'],
  ['Europe/Berlin', '2027-03-28T01:00Z', '2027-03-28T03:00+02:00'],
  ['America/New_York', '2026-11-01T05:00Z', '2026-11-01T01:00-04:00'],
  ['America/New_York', '2026-11-01T06:00Z', '2026-11-01T01:00-05:00'],
  ['Australia/Lord_Howe', '2026-10-03T15:00Z', '2026-10-04T01:30+10:30'],
  ['Australia/Lord_Howe', '2026-10-03T16:00Z', '2026-10-04T03:00+11:00'],
  ['America/Santiago', '2026-09-06T04:00Z', '2026-09-06T01:00-03:00'],
  ['Asia/Kathmandu', '2026-11-24T18:00Z', '2026-11-24T23:45+05:45'],
  ['America/St_Johns', '2026-11-24T03:00Z', '2026-11-23T23:30-03:30'],
  ['Pacific/Chatham', '2026-11-24T10:15Z', '2026-11-25T00:00+13:45'],
  ['Pacific/Kiritimati', '2026-11-24T10:00Z', '2026-11-25T00:00+14:00'],
  ['Etc/GMT+12', '2026-11-24T10:00Z', '2026-11-23T22:00-12:00'],
  ['UTC', '2026-11-24T10:07Z', '2026-11-24T10:07+00:00'],
];

describe('a time in a time zone', () => {
  it('has the offset from UTC at its instant', () => {
    for (const [zone, instant, expected] of TIMES) {
      const at = Date.parse(instant);
      assert.equal(offsetTime(zone, at), expected, zone);
      assert.equal(Date.parse(offsetTime(zone, at)), at);
      assert.equal(localTime(zone, at), expected.slice(0, 16));
      assert.equal(localDate(zone, at), expected.slice(0, 10));
    }
  });

  it('is in UTC if Node.js does not know the zone', () => {
    const at = Date.parse('2026-11-24T10:00Z');
    assert.equal(offsetTime('Mars/Olympus', at), '2026-11-24T10:00+00:00');
    assert.equal(localTime('Mars/Olympus', at), '2026-11-24T10:00');
    assert.equal(localDate('', at), '2026-11-24');
  });
});

describe('noon of a local date', () => {
  const NOONS: [timeZone: string, date: string, local: string][] = [
    ['Pacific/Kiritimati', '2026-11-24', '2026-11-24T12:00'],
    ['Etc/GMT+12', '2026-11-24', '2026-11-24T12:00'],
    ['Asia/Kathmandu', '2026-11-24', '2026-11-24T12:00'],
    // The clock has changed in the night before.
    ['Europe/Berlin', '2027-03-28', '2027-03-28T12:00'],
    ['Australia/Lord_Howe', '2027-04-04', '2027-04-04T12:00'],
  ];
  for (const [timeZone, date, local] of NOONS) {
    it(`is at ${local} in ${timeZone}`, () => {
      assert.equal(localTime(timeZone, noonOf(timeZone, date)), local);
    });
  }

  it('is noon in UTC without a known time zone', () => {
    assert.equal(noonOf('America/Nowhere', '2026-11-24'), Date.parse('2026-11-24T12:00Z'));
  });
});

describe('a date', () => {
  it('has dates before and after it, also on days of a clock change and leap days', () => {
    assert.equal(addDays('2027-03-28', 1), '2027-03-29');
    assert.equal(addDays('2028-02-28', 1), '2028-02-29');
    assert.equal(addDays('2027-01-01', -1), '2026-12-31');
  });

  it('is one of the calendar', () => {
    const texts = ['2026-11-24', '2028-02-29', '2027-02-29', '2026-11-31', '2026-13-01'];
    const others = ['0000-00-00', '2026-1-1', '2026-11-24T00:00', 'tomorrow', ''];
    assert.deepEqual([...texts, ...others].filter(isDate), ['2026-11-24', '2028-02-29']);
  });
});

describe('a time zone', () => {
  it('is a name that this version of Node.js knows', () => {
    const texts = ['Europe/Berlin', 'UTC', 'Etc/GMT+12', 'America/Nowhere', '', '+05:30', 'GMT+5'];
    assert.deepEqual(texts.filter(isTimeZone), ['Europe/Berlin', 'UTC', 'Etc/GMT+12']);
  });
});
