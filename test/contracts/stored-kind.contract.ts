import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyOf, type Kind } from '../../src/weather/kinds/kind.js';

/** What a version writes to Redis for a kind. */
export interface StoredSample {
  key: string;
  /** JSON in the data of a job. */
  request: string;
  /** JSON in a cache entry: together they have every member. */
  values: string[];
  /** JSON that must not be read. */
  notRequests: string[];
  notValues: string[];
}

const HOW_TO_CHANGE =
  'What is stored has changed. A member that may be absent: write the new sample. Any other change: first raise `entry`, ' +
  '`queue`, and `fetched` in src/redis/names.ts, unless they are higher than in the last release already.';

const parsed = (texts: string[]) => texts.map((text) => JSON.parse(text) as unknown);

/** JSON with every array, also an inner one, this many times as long: one array per result. */
function withLongArray(text: string, times: number): string[] {
  const results: string[] = [];
  const lists = (value: unknown): unknown[][] => {
    if (typeof value !== 'object' || value === null) return [];
    const inner = Object.values(value).flatMap(lists);
    return Array.isArray(value) ? [value, ...inner] : inner;
  };
  for (const index of lists(JSON.parse(text)).keys()) {
    const copy = JSON.parse(text) as unknown;
    const list = lists(copy)[index]!;
    list.push(
      ...Array<unknown[]>(times - 1)
        .fill([...list])
        .flat(),
    );
    results.push(JSON.stringify(copy));
  }
  return results;
}

/** What is stored for a kind. If a sample is red, docs/storage.md says if Redis needs new names. */
export function storedKindContract<Request, Value>(
  kind: Kind<Request, Value>,
  sample: StoredSample,
): void {
  describe(`what is stored for the kind '${kind.name}'`, () => {
    it('has a key that begins with the name of the kind, which has no colon', () => {
      const request: unknown = JSON.parse(sample.request);
      assert.ok(kind.isRequest(request));
      assert.match(kind.name, /^[a-z0-9-]+$/);
      assert.equal(keyOf(kind, request), sample.key);
    });

    it('is read as it was written, and nothing else is', () => {
      for (const value of parsed(sample.values)) {
        const read = kind.readValue(value);
        assert.ok(read !== undefined, HOW_TO_CHANGE);
        // A member that the sample lacks may be absent.
        const complete = value === null ? null : { ...read, ...value };
        assert.deepEqual(complete, read, HOW_TO_CHANGE);
      }
      for (const other of parsed(sample.notRequests)) assert.equal(kind.isRequest(other), false);
      for (const [index, other] of parsed(sample.notValues).entries()) {
        assert.equal(kind.readValue(other), undefined, sample.notValues[index]);
      }
    });

    it('is not read if one array in it is 1,000 times as long, or all are', () => {
      for (const text of sample.values) {
        const all = JSON.stringify(
          JSON.parse(text, (_key, value: unknown) =>
            Array.isArray(value) ? Array<unknown[]>(1000).fill(value).flat() : value,
          ),
        );
        for (const longer of [...withLongArray(text, 1000), all]) {
          if (longer === text) continue;
          assert.equal(kind.readValue(JSON.parse(longer)), undefined, longer.slice(0, 300));
        }
      }
    });
  });
}
