import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { useService } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ERAS } from '../support/mcp.js';
import { PATHS } from '../support/stub-provider.js';

/** Tests with the official client, which checks results by the server's published schemas. */

interface Result {
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<Result> =>
  (await client.callTool({ name, arguments: args })) as Result;

const sentenceOf = ({ isError, content }: Result): string => {
  assert.deepEqual([isError, content.length], [true, 1]);
  return content[0]?.text ?? '';
};

describe('the official client', () => {
  const fixture = useService({ MCP_ENABLED: 'true', WEATHER_PROVIDERS: 'open-meteo' });

  async function connect(t: TestContext, era: string): Promise<Client> {
    const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const);
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${fixture.url}/mcp`)));
    t.after(() => client.close());
    assert.equal(client.getNegotiatedProtocolVersion(), era);
    return client;
  }

  for (const era of ERAS) {
    it(`lists the tools and calls them, in the era of ${era}`, async (t) => {
      const client = await connect(t, era);
      assert.match(client.getInstructions() ?? '', /credit/);
      const { tools } = await client.listTools();
      assert.equal(tools.length, 5);
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
      const client = await connect(t, era);
      const unknown = await call(client, 'forecast_daily', { city: 'Seatle', country: 'USA' });
      assert.match(sentenceOf(unknown), /Did you mean Seattle\? The tool find_places/);
    });
  }

  it('gets the seconds to wait while no provider responds', async (t) => {
    fixture.stub.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
    for (const era of ERAS) {
      const client = await connect(t, era);
      const result = await call(client, 'current_weather', { lat: -33.87, lon: 151.21 });
      assert.match(
        sentenceOf(result),
        /^The weather service is temporarily unavailable\. Please try again later\. Retry in \d+ seconds\.$/,
      );
    }
    const failed = () =>
      fixture.service.of('weather_request').filter(({ status }) => status === 503);
    await eventually(() => failed().length === ERAS.length, 'the records of the calls');
    for (const record of failed())
      assert.deepEqual([record['via'], record.level], ['mcp', 'ERROR']);
  });
});
