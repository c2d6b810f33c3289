import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { eventually, nextIteration } from '../support/eventually.js';
import { anyClient } from '../support/http-client.js';
import { coordinatedFetches, workerFetches } from '../support/coordinated-fetches.js';
import { ERAS } from '../support/mcp.js';
import { nthPlace } from '../support/places.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';

/** Tests with the official client package, which checks results by the schemas that the server publishes. */

/** Calls that one client IP may make. */
const LIMIT = 30;
/** Calls at the same time. The package takes several milliseconds of CPU time for each. */
const CALLS = 150;

interface Result {
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** Connects a client to a server. @param address the client IP */
async function connect(t: TestContext, url: string, era: string, address: string): Promise<Client> {
  const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { 'X-Forwarded-For': address } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  t.after(() => client.close());
  assert.equal(client.getNegotiatedProtocolVersion(), era);
  return client;
}

const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<Result> =>
  (await client.callTool({ name, arguments: args })) as Result;

const sentenceOf = ({ isError, content }: Result): string => {
  assert.deepEqual([isError, content.length], [true, 1]);
  return content[0]?.text ?? '';
};

describe('the official client, before three replicas and a worker', () => {
  const stackOf = useStack({
    replicas: 3,
    workers: 1,
    env: {
      MCP_ENABLED: 'true',
      TRUST_PROXY: '1',
      RATE_LIMIT_PER_IP: String(LIMIT),
      WEATHER_PROVIDERS: 'open-meteo',
      STALE_IF_ERROR_SECONDS: '0',
      // The stub provider runs in this process, which the calls keep busy for seconds.
      UPSTREAM_TIMEOUT_MS: '60000',
    },
  });
  let clients = 0;
  const address = () => anyClient((clients += 1))['X-Forwarded-For'];

  for (const era of ERAS) {
    it(`lists the tools and calls them, in the era of ${era}`, async (t) => {
      const client = await connect(t, stackOf().url('/mcp'), era, address());
      assert.match(client.getInstructions() ?? '', /credit/);
      const { tools } = await client.listTools();
      assert.equal(tools.length, 4);
      const { structuredContent: found } = await call(client, 'find_places', { q: 'seattl' });
      const [place] = (found as { places: { city: string; country: string }[] }).places;
      assert.deepEqual([place?.city, place?.country], ['Seattle', 'United States']);
      const { city, country } = place ?? {};
      for (const [tool, member] of [
        ['current_weather', 'temperature'],
        ['forecast_daily', 'days'],
        ['forecast_hourly', 'hours'],
      ] as const) {
        const { structuredContent = {} } = await call(client, tool, { city, country });
        assert.ok(member in structuredContent);
        assert.match(JSON.stringify(structuredContent['attribution']), /Open-Meteo/);
      }
    });

    it(`suggests places for a name that is unknown, in the era of ${era}`, async (t) => {
      const client = await connect(t, stackOf().url('/mcp'), era, address());
      const unknown = await call(client, 'forecast_daily', { city: 'Seatle', country: 'USA' });
      assert.match(sentenceOf(unknown), /Did you mean Seattle/);
    });

    it(`has one limit over all replicas, and gets the seconds to wait, in the era of ${era}`, async (t) => {
      const { url } = stackOf();
      await eventually(async () => {
        const own = address();
        const three = await Promise.all([0, 1, 2].map(() => connect(t, url('/mcp'), era, own)));
        const results: Result[] = [];
        for (let n = 0; n < LIMIT + 4; n += 1) {
          const client = three[n % three.length]!;
          results.push(await call(client, 'current_weather', { city: 'Oslo', country: 'Norway' }));
        }
        const rejected = results.filter(({ isError }) => isError);
        for (const result of rejected) {
          assert.match(sentenceOf(result), /^The limit of 30 requests .* Retry in \d+ seconds\.$/);
        }
        // On a busy machine, a reply of Redis may be late. Then a replica counts alone for a moment.
        return rejected.length === 4;
      }, 'a client whose limit is exact');
    });
  }

  it('150 calls at the same time for one cold place make one fetch', async (t) => {
    const stack = stackOf();
    await workerFetches(stack, anyClient((clients += 1)));
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 4000 });
    const { latitude: lat, longitude: lon } = nthPlace(1);
    const connected = await Promise.all(
      Array.from({ length: CALLS / LIMIT }, (_, n) =>
        connect(t, stack.url('/mcp'), ERAS[n % ERAS.length]!, address()),
      ),
    );
    const calls: Promise<Result>[] = [];
    for (const client of connected) {
      for (let n = 0; n < LIMIT; n += 1) {
        calls.push(call(client, 'current_weather', { lat, lon }));
      }
      // Otherwise a busy machine opens all connections, and sends their first requests more than 15 s later.
      await nextIteration();
    }
    const results = await Promise.all(calls);
    assert.equal(results.length, CALLS);
    assert.deepEqual(
      results.filter(({ isError }) => isError),
      [],
    );
    assert.equal(coordinatedFetches(stack, 1), 1);
  });

  it('gets the seconds to wait while no provider responds', async (t) => {
    const stack = stackOf();
    stack.upstream.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
    for (const era of ERAS) {
      const client = await connect(t, stack.url('/mcp'), era, address());
      const result = await call(client, 'current_weather', { lat: -33.87, lon: 151.21 });
      assert.match(
        sentenceOf(result),
        /^The weather service is temporarily unavailable\. Please try again later\. Retry in \d+ seconds\.$/,
      );
    }
    const failed = () =>
      stack.replicas
        .flatMap((replica) => replica.of('weather_request'))
        .filter(({ status }) => status === 503);
    await eventually(() => failed().length === ERAS.length, 'the records of the calls');
    for (const record of failed())
      assert.deepEqual([record['via'], record.level], ['mcp', 'ERROR']);
  });
});
