import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { listenLocally } from '../support/listen-locally.js';
import { providersAt } from '../support/providers.js';
import { useStubProvider } from '../support/use-stub-provider.js';
import { zoned } from '../support/zoned.js';

/**
 * The promise is 10 ms on an idle machine, where a real forecast of MET Norway takes 2 to 3 ms. Without the bounds, the
 * responses below cost seven to thirty times as much as a real one.
 */
const LIMIT = 5;
/** The CPU time is measured in steps of some milliseconds, so it is that of many calls. */
const [WARM_UP, ROUNDS] = [3, 6];
const HOUR_MS = 3_600_000;
const MAX_BYTES = 262_144;
const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

const period = {
  summary: { symbol_code: 'rain' },
  details: { air_temperature_min: 1, air_temperature_max: 2, probability_of_precipitation: 3 },
};
const details = { air_temperature: 1.5, relative_humidity: 50, wind_speed: 3 };

/** A series of MET Norway. @param hours between two steps */
const series = (count: number, hours: number, more = {}) =>
  JSON.stringify({
    properties: {
      timeseries: Array.from({ length: count }, (_, index) => ({
        time: new Date(NOW + index * hours * HOUR_MS).toISOString(),
        data: { instant: { details }, next_1_hours: period, next_6_hours: period },
      })),
    },
    ...more,
  });
const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, 1]));
const REAL = series(90, 1);
/** The abilities by which a provider can be measured, the first one that it has. */
const ABILITIES = ['daily', 'hourly', 'current'] as const;
const POINT = zoned({ latitude: 47.6, longitude: -122.3 });
const { signal } = new AbortController();
const pathOf = (url = '') => new URL(url, 'http://stub-provider').pathname;

/** A body in which all arrays are longer by a factor. */
const withLongArrays = (body: string, factor: number) =>
  JSON.stringify(
    JSON.parse(body, (_key, value: unknown) =>
      Array.isArray(value) ? Array<unknown[]>(factor).fill(value).flat() : value,
    ),
  );

/** Responses of MET Norway, which has the largest ones. */
const HOSTILE: [what: string, provider: string, body: string][] = [
  ['500 steps on 500 dates', 'met-norway', series(500, 24)],
  ['500 steps in eight days', 'met-norway', series(500, 0.38)],
  ['11,000 unknown members', 'met-norway', series(1, 1, unknown(11_000))],
  ['22,000 unknown members', 'met-norway', series(1, 1, unknown(22_000))],
  ['arrays in 100,000 arrays', 'met-norway', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
];

/** CPU time of this thread in milliseconds. Other processes do not affect it. */
function processorMs(): number {
  const { pid } = process;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

describe('the CPU time of a response of a provider', () => {
  const fixture = useStubProvider();

  it(`is at most ${LIMIT} times that of a real forecast, whatever the response contains`, async (t) => {
    const { stub, client } = fixture;
    /** The bodies of the responses by path: at first, those of the stub provider. */
    const bodies = new Map<string, string>();
    /** The path of each provider, and the ability that reads its response. */
    const paths = new Map<string, [path: string, ability: (typeof ABILITIES)[number]]>();
    const all = [...HOSTILE];
    for (const provider of providersAt(client, stub.url)) {
      const { name } = provider;
      const ability = ABILITIES.find((each) => provider[each])!;
      const first = stub.calls.length;
      await provider[ability]!(POINT, signal);
      for (const { url } of stub.calls.slice(first)) {
        const headers = { connection: 'close' };
        bodies.set(pathOf(url), await (await fetch(stub.url + url, { headers })).text());
        paths.set(name, [pathOf(url), ability]);
      }
      for (const factor of [2, 4, 16, 64]) {
        const [path] = paths.get(name)!;
        const text = withLongArrays(bodies.get(path)!, factor);
        if (text.length <= MAX_BYTES) all.push([`arrays of ${name} times ${factor}`, name, text]);
      }
    }
    const baseUrl = await listenLocally(t, ({ url }, response) =>
      response.end(bodies.get(pathOf(url))),
    );
    const providers = new Map(providersAt(client, baseUrl).map((each) => [each.name, each]));
    assert.ok(all.length > HOSTILE.length + providers.size);

    async function costOf(name: string, text: string): Promise<number> {
      assert.ok(text.length <= MAX_BYTES, `${text.length} bytes`);
      const [path, ability] = paths.get(name)!;
      bodies.set(path, text);
      const provider = providers.get(name)!;
      let before = 0;
      for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
        if (round === WARM_UP) before = processorMs();
        await provider[ability]!(POINT, signal).catch(() => undefined);
      }
      return (processorMs() - before) / ROUNDS;
    }

    /** The responses whose cost is above the limit. */
    async function tooDear(responses: typeof HOSTILE): Promise<typeof HOSTILE> {
      const real = await costOf('met-norway', REAL);
      t.diagnostic(`${real.toFixed(1)} ms for a real forecast`);
      const found: typeof HOSTILE = [];
      for (const response of responses) {
        const [what, provider, text] = response;
        const cost = await costOf(provider, text);
        t.diagnostic(`${cost.toFixed(1)} ms for ${what}`);
        if (cost > LIMIT * real) found.push(response);
      }
      return found;
    }

    for (let warmUp = 0; warmUp < 3; warmUp += 1) await costOf('met-norway', REAL);
    const suspects = await tooDear(all);
    // On a busy machine, a single measurement may be wrong.
    const names = (await tooDear(suspects)).map(([what]) => what);
    assert.deepEqual(names, []);
  });
});
