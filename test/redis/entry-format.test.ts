import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEntry, storedEntry } from '../../src/redis/fetching/shared-entries.js';
import { parseJson } from '../../src/redis/untrusted.js';
import { cachedSince } from '../../src/weather/cache-entry.js';
import type { Kind } from '../../src/weather/kinds/kind.js';

const TTL = { freshMs: 300_000, staleMs: 3_600_000 };
const readValue = (value: unknown) => (typeof value === 'number' ? value : undefined);
const sourceOf = (read: typeof readValue, ttlOf: () => typeof TTL) => ({
  kind: { readValue: read } as Kind<unknown, number>,
  ttlOf,
});
const SOURCE = sourceOf(readValue, () => TTL);
const NOW = 5000;
const entry = cachedSince(
  { value: 7, provider: 'open-meteo', referenceTime: 1_795_000_000_000, freshForMs: 1000 },
  TTL,
  NOW,
  'f',
);
const text = JSON.stringify(storedEntry(entry));
const wholeTtlMs = TTL.freshMs + TTL.staleMs;

/** Reads an entry from the text of its key. */
const read = (json: string, ttlMs: number, now: number) =>
  readEntry(SOURCE, parseJson(json), ttlMs, now);

const DAMAGED: Record<string, string> = {
  nothing: '',
  'no JSON': 'x',
  'no object': '[1]',
  'a value of another kind': text.replace('"value":7', '"value":null'),
  'a provider that a header cannot contain': text.replace('"open-meteo"', '"東"'),
  'a provider with a line break': text.replace('"open-meteo"', '"a\\nb"'),
  'a TTL that is no number': text.replace('"freshMs":300000', '"freshMs":"x"'),
  'a TTL beyond all dates': text.replace('"freshMs":300000', '"freshMs":1e300'),
  'an infinite TTL': text.replace('"freshMs":300000', '"freshMs":1e999'),
  'a negative TTL': text.replace('"staleMs":3600000', '"staleMs":-1'),
  'a fetch in the future': text.replace('"freshMs":300000', '"freshMs":1'),
  'a pause without an end': text.replace('"noFetchMs":1000', '"noFetchMs":1e999'),
  'a reference time before all dates': text.replace('"presentAt":1795', '"presentAt":-1795'),
  'a reference time after all dates': text.replace('"presentAt":1795', '"presentAt":1e9'),
  'a reference time that is no number': text.replace(
    '"presentAt":1795000000000',
    '"presentAt":null',
  ),
  'a reference time of the year 10000 in some time zones': text.replace(
    '1795000000000',
    '253402300799999',
  ),
  'an age of thousands of years': text.replace('"freshMs":300000', '"freshMs":253402300799999'),
  'no fetch ID': text.replace('"fetchId":"f"', '"fetchId":7'),
};

describe('the text of an entry', () => {
  it('is read with the instants of the entry, by the TTL of its key', () => {
    const elapsedMs = 250;
    assert.deepEqual(read(text, wholeTtlMs - elapsedMs, NOW + elapsedMs), entry);
  });

  it('is read without a reference time if its value is good at any time', () => {
    const timeless = cachedSince({ value: 7, provider: 'open-meteo-geocoding' }, TTL, NOW, 'f');
    const json = JSON.stringify(storedEntry(timeless));
    assert.ok(!json.includes('presentAt'));
    assert.equal(read(json, wholeTtlMs, NOW)?.referenceTime, undefined);
  });

  it('is not an entry if its key has no TTL', () => {
    assert.equal(read(text, -1, NOW), undefined);
  });

  it('lasts no longer than the configuration allows, whatever its durations and its TTL', () => {
    const longMs = 1e15;
    const stored = { value: 7, provider: 'open-meteo', fetchId: 'f', freshMs: longMs };
    for (const [durations, ttlMs, expected] of [
      [{ staleMs: 0 }, longMs, [0, TTL.freshMs, TTL.freshMs]],
      [{ staleMs: longMs }, 2 * longMs, [0, TTL.freshMs, wholeTtlMs]],
      [{ staleMs: 0, noFetchMs: longMs }, longMs, [0, 6 * 3_600_000, 6 * 3_600_000]],
    ] as const) {
      const read = readEntry(SOURCE, { ...stored, ...durations }, ttlMs, NOW)!;
      const { fetchedAt, freshUntil, staleUntil, noFetchUntil } = read;
      assert.deepEqual(
        [fetchedAt, freshUntil, staleUntil].map((at) => at - NOW),
        expected,
      );
      assert.ok(noFetchUntil! <= NOW + 6 * 3_600_000);
    }
  });

  it('is not an entry if its value is over at the time of its fetch, or if reading it fails', () => {
    const readWith = (source: typeof SOURCE) => readEntry(source, parseJson(text), wholeTtlMs, NOW);
    const fail = () => {
      throw new RangeError('Invalid time value');
    };
    assert.ok(readWith(SOURCE));
    assert.equal(readWith(sourceOf(readValue, () => ({ freshMs: 0, staleMs: 0 }))), undefined);
    assert.equal(readWith(sourceOf(readValue, fail)), undefined);
    assert.equal(readWith(sourceOf(fail, () => TTL)), undefined);
  });

  for (const [what, damaged] of Object.entries(DAMAGED)) {
    it(`is not an entry with ${what}`, () => {
      assert.notEqual(damaged, text);
      assert.equal(read(damaged, wholeTtlMs, NOW), undefined);
    });
  }
});
