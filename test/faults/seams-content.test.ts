import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { nthPlace, placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

/** The right form and the wrong content: what is done to the text of a well entry. */
const DAMAGE: Record<string, (text: string) => string> = {
  'an entry of another kind': (text) =>
    text.replace(
      /\{.*\}$/s,
      '{"value":{"kind":"geocode","point":null,"provider":"p"},"freshMs":300000,"fetchId":"f"}',
    ),
  'a provider that is no header value': (text) => text.replace('"open-meteo"', '"東"'),
  'a provider with a line break': (text) => text.replace('"open-meteo"', '"a\\nb"'),
  'a life that is no number': (text) => text.replace(/"freshMs":[\d.]+/, '"freshMs":"x"'),
  'a life longer than time': (text) => text.replace(/"freshMs":[\d.]+/, '"freshMs":1e300'),
  'a life without an end': (text) => text.replace(/"freshMs":[\d.]+/, '"freshMs":1e999'),
  'a fetch in the future': (text) => text.replace(/"freshMs":[\d.]+/, '"freshMs":1'),
  'no fetch id': (text) => text.replace(/"fetchId":"[^"]+"/, '"fetchId":7'),
};

const placeOf = (n: number) => {
  const { latitude, longitude } = nthPlace(n);
  return `{weather:${latitude.toFixed(4)}:${longitude.toFixed(4)}}`;
};

async function startTwo(t: Parameters<typeof startStack>[0]) {
  const stack = await startStack(t, { replicas: 2, workers: 0 });
  const redis = new Redis(stack.redis.url);
  t.after(() => {
    redis.disconnect();
  });
  const keyOf = async (n: number) => {
    const keys = await redis.keys('*');
    const key = keys.find((name) => name.endsWith(placeOf(n)) && /entry|cache/.test(name));
    assert.ok(key, `no entry among ${keys.join(', ')}`);
    return key;
  };
  return { stack, redis, keyOf };
}

describe('an entry of the right form and the wrong content', () => {
  it('is a miss and is repaired: no 500, whatever is wrong with it', async (t) => {
    const { stack, redis, keyOf } = await startTwo(t);
    const [first, second] = stack.replicas;
    for (const [n, [what, damage]] of Object.entries(DAMAGE).entries()) {
      await attempt(first!.url + placePath(n));
      const key = await keyOf(n);
      const text = await redis.get(key);
      const damaged = damage(text!);
      assert.notEqual(damaged, text, what);
      await redis.set(key, damaged, 'KEEPTTL');
      const reply = await attempt(second!.url + placePath(n));
      assert.deepEqual([reply.status, reply.headers['x-cache']], [200, 'MISS'], what);
      await eventually(async () => (await redis.get(key)) !== damaged, `the repair of ${what}`);
    }
  });

  it('is a miss when it has no life, and gets one', async (t) => {
    const { stack, redis, keyOf } = await startTwo(t);
    const [first, second] = stack.replicas;
    await attempt(first!.url + placePath(1));
    const key = await keyOf(1);
    await redis.persist(key);
    assert.equal((await attempt(second!.url + placePath(1))).headers['x-cache'], 'MISS');
    await eventually(async () => (await redis.pttl(key)) > 0, 'a life');
  });
});

describe('the record of a fetch without a life', () => {
  it('blocks no place: the next request replaces it', async (t) => {
    const { stack, redis, keyOf } = await startTwo(t);
    const [first] = stack.replicas;
    await attempt(first!.url + placePath(1));
    const record = (await keyOf(1)).replace(placeOf(1), placeOf(2)).replace(/cache|entry/, 'fetch');
    const now = String(Date.now());
    await redis.hset(record, {
      id: 'x',
      state: 'running',
      seen: now,
      queued: now,
      asker: 'y',
      token: 'z',
    });
    const reply = await attempt(first!.url + placePath(2), { timeoutMs: 10_000 });
    assert.equal(reply.status, 200);
  });
});

describe('a used-up quota without a life', () => {
  it('says nothing, and is no error', async (t) => {
    const { stack, redis } = await startTwo(t);
    await redis.set('weather:quota3:{open-meteo}', 'used up');
    for (const n of [1, 2, 3]) {
      const { status, headers } = await attempt(stack.url(placePath(n)));
      assert.deepEqual([status, headers['x-weather-provider']], [200, 'open-meteo']);
    }
    for (const replica of stack.replicas) assert.deepEqual(replica.of('redis_error'), []);
  });
});

describe('a failure that is announced with an absurd wait', () => {
  it('is not believed: the place is answered', async (t) => {
    const { stack, redis, keyOf } = await startTwo(t);
    const [first, second] = stack.replicas;
    await attempt(first!.url + placePath(1));
    const record = (await keyOf(1)).replace(placeOf(1), placeOf(2)).replace('entry', 'fetch');
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 2000 });
    const runs = attempt(first!.url + placePath(2));
    await eventually(async () => (await redis.hget(record, 'id')) !== null, 'a fetch');
    const waits = attempt(second!.url + placePath(2));
    const fetchId = await redis.hget(record, 'id');
    const said = { key: placeOf(2).slice(1, -1), fetchId, by: 'replica' };
    const told = JSON.stringify({ ...said, failure: { message: 'x', retryAfterMs: 0 } });
    const repeats = setInterval(() => {
      void redis.publish('weather:fetched3:0', told.replace(':0}', ':1e300}'));
    }, 50);
    const replies = await Promise.all([runs, waits]);
    clearInterval(repeats);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
  });
});

describe('an announcement of the right form and the wrong content', () => {
  it('replaces no copy of a replica', async (t) => {
    const { stack, redis, keyOf } = await startTwo(t);
    const [first, second] = stack.replicas;
    const messages: string[] = [];
    const listener = redis.duplicate();
    t.after(() => {
      listener.disconnect();
    });
    await listener.psubscribe('*');
    let channel = '';
    listener.on('pmessage', (_pattern, from: string, text: string) => {
      if (!text.includes('"temperature"')) return;
      channel = from;
      messages.push(text);
    });
    const before = await attempt(first!.url + placePath(1));
    await attempt(second!.url + placePath(1));
    await eventually(() => messages.length > 0, 'the announcement');
    const key = await keyOf(1);
    const [head, life = '', entry = ''] = messages[0]!.split('\n');
    const body = JSON.parse(before.text) as { temperature: number };
    const warmer = entry.replace(/"temperature":[-\d.]+/, `"temperature":${body.temperature + 5}`);
    for (const text of [
      `${head}\nabc\n${entry}`,
      `${head}\n1e999\n${entry}`,
      `${head}\n${life}\n${DAMAGE['an entry of another kind']!(entry)}`,
      `${head}\n${life}\n${DAMAGE['a provider that is no header value']!(entry)}`,
      // Of a fetch other than the one whose end is told.
      `${head?.replace(/"fetchId":"[^"]+"/, '"fetchId":"other"')}\n${life}\n${warmer}`,
    ]) {
      await redis.publish(channel, text);
    }
    for (const replica of stack.replicas) {
      const { status, headers, text } = await attempt(replica.url + placePath(1));
      assert.deepEqual([status, headers['x-cache'], text], [200, 'HIT', before.text]);
      assert.match(headers.age ?? '', /^\d+$/);
    }
    assert.ok(await redis.exists(key));
  });
});
