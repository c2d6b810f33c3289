import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { workerFetches } from '../support/coordinated-fetches.js';
import { cookieOf } from '../support/cookies.js';
import { attempt } from '../support/load.js';
import { codeIn, rowsOf } from '../support/markdown.js';
import { QUEUE } from '../support/names.js';
import { placePath } from '../support/places.js';
import { searchAt } from '../support/searches.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';

/**
 * The formats in Redis. docs/storage.md lists all of them. If a sample is red, raise the version of
 * its format in src/redis/names.ts, then write the new sample, with its version, here.
 */

const BERLIN = 'weather:52.5244:13.4105';
const WEATHER =
  '{"time":1795333258000,"weather_code":2,"temperature":10,"feels_like":9,"humidity":54,"dew_point":1.1,' +
  '"pressure":1009.2,"cloud_cover":97,"precipitation":0.4,"wind_speed":81,"wind_direction":210,' +
  '"wind_gusts":99.9,"visibility":null,"uv_index":null,"station":null}';
const FETCH_ID = 'd9e44239-55fd-4c08-821a-f2cd24765a02';
const ENTRY =
  `{"value":${WEATHER},"provider":"open-meteo","fetchId":"${FETCH_ID}",` +
  '"presentAt":1795333258000,"freshMs":300000,"staleMs":3600000}';
const MESSAGE = `${FETCH_ID} stored ${FETCH_ID} ${BERLIN}`;
const JOB =
  '{"kind":"weather","request":{"point":{"latitude":52.5244,"longitude":13.4105},"timeZone":"Europe/Berlin"},' +
  `"fetchId":"${FETCH_ID}","freshForMs":0}`;
const SESSION = `1795333258003363\t${BERLIN.slice(8)}\t["Berlin","Germany",3363]\n`;
const LIMITS = { RATE_LIMIT_PER_IP: '1000', RATE_LIMIT_TOTAL: '100000' };
const ROOT = join(import.meta.dirname, '../..');

describe('the content of Redis after a run', () => {
  const stackOf = useStack({ replicas: 1, workers: 1, env: LIMITS });

  it('is exactly what docs/storage.md lists, in the formats of these versions', async (t) => {
    const stack = stackOf();
    const seen = await watch(t, stack.redis.url);
    await useEverything(stack);
    await seen.stop();

    const table = rowsOf(readFileSync(join(ROOT, 'docs/storage.md'), 'utf8'));
    const rows = table.map(([name = '', type = '', , life = '']) => ({
      ...{ name: codeIn(name)[0] ?? '', type, life, found: false },
    }));
    // The more specific name first.
    const literal = ({ name }: { name: string }) => name.replace(/<[^>]+>/g, '').length;
    rows.sort((a, b) => literal(b) - literal(a));
    for (const { name, type, lives } of seen.names.values()) {
      const row = rows.find((candidate) => isLike(candidate.name, name));
      assert.ok(row, `docs/storage.md has no row for ${name}`);
      row.found = true;
      assert.equal(type, row.type, name);
      if (type !== 'channel' && row.life === 'none') assert.equal(lives, false, name);
    }
    // These names exist only while a job is active, which is short.
    const isRare = (name: string) => /:(?:active|stalled|lock)$/.test(name);
    assert.deepEqual(
      rows.filter(({ found, name }) => !found && !isRare(name)).map(({ name }) => name),
      [],
      'rows of docs/storage.md without such a name in Redis',
    );

    const samples: Record<string, unknown> = {
      [`weather:entry6:{${BERLIN}}`]: [ENTRY],
      'weather:window3:{met-norway}:calls:1': [['1795333257990137']],
      'weather:window3:{all}:total': [['1795333258003363']],
      'weather:session4:ID': [SESSION],
      [`${QUEUE}:ID data`]: [JOB],
      'weather:fetched8:0': [MESSAGE],
    };
    for (const [name, values] of Object.entries(samples)) {
      const written = seen.values.get(name) ?? new Set();
      for (const value of values as unknown[]) {
        const shape = shapeOf(value);
        assert.ok(written.has(shape), `${name}: ${shape}, not ${[...written].join(' or ')}`);
      }
    }
  });
});

/** Makes the processes write every kind of key and message. */
async function useEverything(stack: ReturnType<ReturnType<typeof useStack>>): Promise<void> {
  const { url, upstream, workers } = stack;
  await workerFetches(stack);
  const cookie = cookieOf(await searchAt(url(''), 'Berlin'));
  await sleep(200);
  await searchAt(url(''), 'Berlin', { cookie });
  await attempt(url('/api/v1/weather?city=Zeroville&country=Ghana'));
  upstream.behave(PATHS.openMeteo, { kind: 'status', status: 429 });
  await attempt(url(placePath(5)));
  upstream.behave(PATHS.metNorway, { kind: 'status', status: 500 });
  await attempt(url(placePath(6)));
  await sleep(200);
  // Jobs wait while the worker is suspended. It has already taken the first marker.
  workers[0]!.kill('SIGSTOP');
  for (const n of [7, 8, 9]) {
    void attempt(url(placePath(n)));
    await sleep(100);
  }
  await attempt(url(placePath(9)));
  workers[0]!.kill('SIGCONT');
  await workers[0]!.stop();
}

/** Watches all keys and messages. */
async function watch(t: { after(close: () => void): void }, url: string) {
  const [client, subscriber] = [new Redis(url), new Redis(url)];
  t.after(() => {
    client.disconnect();
    subscriber.disconnect();
  });
  const names = new Map<string, { name: string; type: string; lives: boolean }>();
  /** The shapes of all values of a name. */
  const values = new Map<string, Set<string>>();
  const add = (name: string, value: unknown) => {
    values.set(name, (values.get(name) ?? new Set()).add(shapeOf(value)));
  };
  subscriber.on('message', (name: string, text: string) => {
    names.set(name, { name, type: 'channel', lives: true });
    add(name, text);
  });
  await subscriber.subscribe('weather:fetched8:0');

  const READ = `
  local key = KEYS[1]
  local kind, value = redis.call('TYPE', key).ok, ''
  if kind == 'string' then value = redis.call('GET', key) end
  if kind == 'hash' then
    local all, hash = redis.call('HGETALL', key), {}
    for i = 1, #all, 2 do hash[all[i]] = all[i + 1] end
    value = cjson.encode(hash)
  end
  if kind == 'list' then value = redis.call('LRANGE', key, 0, -1) end
  return {kind, redis.call('PTTL', key), value}`;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const name of await client.keys('*')) {
        const [type, life, value] = (await client.eval(READ, 1, name)) as [string, number, string];
        if (type === 'none') continue;
        names.set(name, { name, type, lives: life >= 0 });
        const anonymous = name
          .replace(/\{[\w-]{24}\}/, 'ID')
          .replace(/fetch-[0-9a-f]{40}/, 'ID')
          .replace(/\{?[0-9a-f]{8}-[0-9a-f-]{27}(-\d+)?\}?/, 'ID');
        if (type !== 'hash') {
          add(anonymous, value);
          continue;
        }
        const { data, ...others } = JSON.parse(value) as Record<string, string>;
        add(anonymous, others);
        if (data) add(`${anonymous} data`, data);
      }
      await sleep(20);
    }
  })();
  return {
    names,
    values,
    async stop() {
      over.abort();
      await watching;
    },
  };
}

/** A value without what differs between runs: numbers, IDs, times, messages, list lengths. */
function shapeOf(value: unknown): string {
  const isHash = typeof value === 'object' && !Array.isArray(value);
  const sorted = isHash ? Object.entries(value!).sort() : value;
  const text = typeof sorted === 'string' ? sorted : JSON.stringify(sorted);
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}(-\d+)?/g, 'ID')
    .replace(/(\\?"message\\?":\\?")[^"\\]*/g, '$1…')
    .replace(/-?\d+(\.\d+)?/g, '0')
    .replace(/^\["0"(,"0")*\]$/, '["0"]');
}

function isLike(pattern: string, name: string): boolean {
  const parts = pattern.split(/<[^>]+>/).map((part) => part.replace(/[.{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^\\n]+')}$`).test(name);
}
