import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { loadConfig } from '../src/config/config.js';
import { description3, llmsText } from '../tools/openapi/index.js';
import { listenLocally } from './support/listen-locally.js';
import { blocksOf, codeIn, commandsOf, rowsOf, sectionOf } from './support/markdown.js';
import { ensureCommand } from './support/packages.js';
import { providersAt, startReplica, type Service } from './support/service.js';
import { startStubProvider, type StubProvider } from './support/stub-provider.js';

/** Runs the examples of README.md and docs/clients.md, and compares the tables with the code. */

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const PAGE = readFileSync(new URL('../docs/clients.md', import.meta.url), 'utf8');
const WRITTEN_FOR = 'http://localhost:8080';
const run = promisify(execFile);

describe('the examples of README.md and docs/clients.md', () => {
  let folder: string;
  let stub: StubProvider;
  let service: Service;

  before(async () => {
    ensureCommand('curl', 'curl');
    ensureCommand('python3', 'python3');
    folder = await mkdtemp(join(tmpdir(), 'weather-clients-'));
    await writeFile(join(folder, '.curlrc'), 'fail\nsilent\nshow-error\n');
    stub = await startStubProvider();
    const providers = {
      ...providersAt(stub.url),
      WEATHER_PROVIDERS: 'open-meteo,demo',
      MCP_ENABLED: 'true',
    };
    service = await startReplica(providers);
  });
  after(async () => {
    await service.stop();
    await stub.close();
    await rm(folder, { recursive: true });
  });

  /** Runs a program in the folder of this test. @throws if the program fails */
  async function outputOf(command: string, args: string[]): Promise<string> {
    const env = { ...process.env, CURL_HOME: folder };
    return (await run(command, args, { cwd: folder, env })).stdout;
  }

  it('get the expected kind of response by each curl command', async () => {
    const commands = [...commandsOf(README), ...commandsOf(PAGE)].filter((command) =>
      command.startsWith('curl '),
    );
    assert.ok(commands.length >= 15, commands.join('\n'));
    for (const command of commands) {
      assert.ok(command.includes(WRITTEN_FOR), command);
      const here = command.replace(WRITTEN_FOR, service.url);
      const output = await outputOf('sh', ['-c', here]);
      // `curl -i` prints the headers first.
      const answer = JSON.parse(output.split('\r\n\r\n').at(-1) ?? '') as object;
      assert.equal(Object.keys(answer)[0], firstFieldOf(command), command);
    }
  });

  const programs = [
    { language: 'js', command: process.execPath, file: 'weather.mjs' },
    { language: 'python', command: 'python3', file: 'weather.py' },
  ];
  for (const { language, command, file } of programs) {
    describe(language, () => {
      const [program = ''] = blocksOf(PAGE, language);

      const execute = async (url: string, city: string, country: string) => {
        await writeFile(join(folder, file), program.replace(WRITTEN_FOR, url));
        return outputOf(command, [file, city, country]);
      };

      it('prints the weather with its credit', async () => {
        const printed = await execute(service.url, 'Oslo', 'Norway');
        assert.match(printed, /^Oslo: -?\d+(\.\d)? °C, [A-Z].*\. Weather data by Open-Meteo\.com /);
      });

      it('fails with title and message for a place that does not exist', async () => {
        await assert.rejects(execute(service.url, 'Oslo', 'Atlantis'), /Geocoding failed: /);
      });

      it('waits for Retry-After if it is rejected', async (t) => {
        const arrivals: number[] = [];
        const url = await listenLocally(t, (_, response) => {
          arrivals.push(Date.now());
          const isFirst = arrivals.length === 1;
          response.writeHead(isFirst ? 429 : 200, isFirst ? { 'Retry-After': '1' } : {});
          const location = { city: 'Oslo' };
          response.end(JSON.stringify({ location, temperature: 1, condition: 'Clear sky' }));
        });
        assert.match(await execute(url, 'Oslo', 'Norway'), /^Oslo: 1 °C, Clear sky/);
        assert.equal(arrivals.length, 2);
        assert.ok(arrivals[1]! - arrivals[0]! > 900, 'the program did not wait');
      });
    });
  }
});

describe('the tables of docs/clients.md', () => {
  it('list every header of the description', () => {
    const { headers } = description3.components;
    const described = new Set(Object.keys(headers).map((name) => name.split('.')[0]!));
    const listed = rowsOf(sectionOf(PAGE, '## Responses')).flatMap(([names = '']) => codeIn(names));
    const besides = ['Allow', 'X-RateLimit-Dry-Run'];
    assert.deepEqual(listed.sort(), [...described, ...besides].sort());
  });

  const { RATE_LIMIT_PER_IP: perIp, RATE_LIMIT_TOTAL: total, ...defaults } = loadConfig({});
  const [perIpSeconds, totalSeconds] = [
    defaults.RATE_LIMIT_PER_IP_WINDOW_SECONDS,
    defaults.RATE_LIMIT_TOTAL_WINDOW_SECONDS,
  ];

  it('give the default limits', () => {
    const own = (times: number) => [perIp * times, perIpSeconds];
    assert.deepEqual(
      rowsOf(sectionOf(PAGE, '## Rate limits')).map(([, ...numbers]) => numbers.map(Number)),
      [own(1), own(1), own(10), [total, totalSeconds]],
    );
  });

  it('give the same limits as llms.txt', () => {
    const text = llmsText.replaceAll(/\s+/g, ' ');
    assert.deepEqual([perIpSeconds, totalSeconds], [60, 3600]);
    assert.ok(text.includes(`${perIp} weather requests per minute per client IP`));
    assert.ok(text.includes(`${total} requests per hour in total`));
  });
});

/** The first field of the response to a command of the page. */
function firstFieldOf(command: string): string {
  if (command.includes('-X DELETE')) return 'message';
  if (command.includes('/mcp')) return 'result';
  if (command.includes('/recent-searches')) return 'recent_searches';
  return command.includes('/places') ? 'places' : 'location';
}
