import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attempt, type Reply } from '../../support/load.js';
import { names } from '../../support/names.js';
import { nthPlace } from '../../support/places.js';
import type { LogRecord } from '../../support/service.js';
import { useStack } from '../../support/shared-stack.js';
import { connectTo } from '../../support/use-redis.js';

/** Values that no member has, or that only some members have. `stored-values.property.test.ts` tries many more. */
const ODD = ['x', 253_402_300_799_999, {}];

const QUERIES = [
  ['weather', '/api/v1/conditions'],
  ['forecast', '/api/v1/forecast'],
  ['hourly', '/api/v1/forecast/hourly'],
] as const;

/** Places that are requested at the same time. */
const AT_ONCE = 16;

type Json = Record<string, unknown>;

/** Copies of a value in each of which one member, at any depth, has an odd value. Of an array, only the last item changes. */
function* damaged(whole: unknown): Generator {
  if (typeof whole !== 'object' || whole === null) return;
  const keys = Object.keys(whole);
  const some = Array.isArray(whole) ? keys.slice(-1) : keys;
  for (const key of some) {
    const replaced = (member: unknown): unknown =>
      Array.isArray(whole)
        ? whole.with(Number(key), member)
        : { ...(whole as Json), [key]: member };
    for (const odd of ODD) yield replaced(odd);
    for (const inner of damaged((whole as Json)[key])) yield replaced(inner);
  }
}

describe('an entry in Redis with one unexpected value', () => {
  const stackOf = useStack({
    replicas: 1,
    workers: 1,
    env: { RATE_LIMIT_PER_IP: '0', RATE_LIMIT_TOTAL: '0', PROVIDER_BUDGETS: 'none' },
  });

  for (const [kind, path] of QUERIES) {
    it(`is a miss or is used, and never fails a request: ${path}`, async (t) => {
      const { redis, url, replicas } = stackOf();
      const client = connectTo(t, redis);
      /** Asserts that a request did not fail. Otherwise, the message has its log record. */
      const assertServed = async (asked: Promise<Reply>, text: string) => {
        const { status } = await asked;
        if (status === 200) return;
        const failed = (record: LogRecord) => record['status'] === status;
        const record = await replicas[0]!.waitFor('weather_request', failed);
        assert.fail(`${JSON.stringify(record)} for ${text}`);
      };
      const of = (n: number) => {
        const { latitude, longitude } = nthPlace(n);
        return {
          url: url(`${path}/coordinates?lat=${latitude}&lon=${longitude}`),
          key: `${kind}:${latitude.toFixed(4)}:${longitude.toFixed(4)}`,
        };
      };
      assert.equal((await attempt(of(0).url)).status, 200);
      const stored = await client.get(names.entry(of(0).key));
      assert.ok(stored, `no entry of ${of(0).key}`);
      const ttlMs = await client.pttl(names.entry(of(0).key));
      const channel = names.fetchMessages;

      const texts = [...damaged(JSON.parse(stored))].map((entry) => JSON.stringify(entry));
      const plant = async (text: string, n: number) => {
        const place = of(n);
        await client.set(names.entry(place.key), text, 'PX', ttlMs);
        await assertServed(attempt(place.url), text);
      };
      /** In the message that a waiting request receives. */
      const publish = async (text: string, n: number) => {
        const place = of(5000 + n);
        const reply = attempt(place.url);
        const entry: unknown = JSON.parse(text);
        const message = { key: place.key, fetchId: 'planted', entry, ttlMs };
        for (let n = 0; n < 5; n += 1) await client.publish(channel, JSON.stringify(message));
        await assertServed(reply, text);
      };
      for (let first = 0; first < texts.length; first += AT_ONCE) {
        const some = texts.slice(first, first + AT_ONCE);
        await Promise.all(some.map((text, i) => plant(text, 1 + first + i)));
        await publish(some[0]!, first);
      }
    });
  }
});
