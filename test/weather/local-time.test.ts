import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, isDate, isTimeZone, localTime, noonOf } from '../../src/weather/local-time.js';

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
