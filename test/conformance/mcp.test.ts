import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { closed } from '../support/closed-schemas.js';
import { useService, weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { anyClient, ask, type Answer } from '../support/http-client.js';
import type { LogRecord } from '../support/service.js';
import {
  callIn,
  ERAS,
  HANDSHAKE,
  JSON_TYPES,
  listIn,
  messageIn,
  META,
  post,
  type Message,
} from '../support/mcp.js';
import { without } from '../support/without.js';

const TOOLS = [
  'current_weather',
  'forecast_daily',
  'forecast_hourly',
  'air_quality',
  'find_places',
];
const OSLO = { city: 'Oslo', country: 'Norway' };

/** The names of a tool and its arguments, and the same request by HTTP. */
const SAME: [tool: string, args: Record<string, unknown>, target: string][] = [
  ['current_weather', OSLO, weatherOf('Oslo', 'Norway', '/api/v1/conditions')],
  [
    'current_weather',
    // Models also write an empty text or null for what they leave out.
    { city: '', country: '', lat: 59.9, lon: 10.7 },
    '/api/v1/conditions/coordinates?lat=59.9&lon=10.7',
  ],
  [
    'forecast_daily',
    { ...OSLO, days: 2 },
    `${weatherOf('Oslo', 'Norway', '/api/v1/forecast')}&days=2`,
  ],
  [
    'forecast_hourly',
    { lat: '59.9', lon: '1.07e1', hours: 3 },
    '/api/v1/forecast/hourly/coordinates?lat=59.9&lon=10.7&hours=3',
  ],
  ['find_places', { q: 'pots', limit: 2 }, '/api/v1/places?q=pots&limit=2'],
  ['current_weather', { code: 'muc' }, '/api/v1/conditions/airport?code=MUC'],
  ['forecast_hourly', { country: 'DE', code: 'EDDM' }, '/api/v1/forecast/hourly/airport?code=EDDM'],
  [
    'forecast_daily',
    { ...OSLO, lang: 'de-AT' },
    `${weatherOf('Oslo', 'Norway', '/api/v1/forecast')}&lang=de`,
  ],
];

/** Arguments that break a rule of an endpoint, and the sentence that says so. */
const MISTAKES: [tool: string, args: Record<string, unknown>, sentence: RegExp][] = [
  [
    'current_weather',
    {},
    /^Give both city and country, or, without a city, both lat and lon, or code$/,
  ],
  ['current_weather', { city: 'Oslo', country: null }, /^Give both city and country/],
  ['forecast_daily', { city: 'Oslo', lat: 59.9, lon: 10.7 }, /^Give both city and country/],
  ['current_weather', { latitude: 59.9, longitude: 1 }, /Without effect: latitude, longitude$/],
  ['current_weather', { city: { name: 'Oslo' }, country: 'Norway' }, /^city must be one string$/],
  ['current_weather', { city: true, country: 'Norway' }, /^city must be one string$/],
  ['current_weather', { city: 5, country: 'Norway' }, /^Only letters/],
  ['forecast_hourly', { ...OSLO, hours: 2.5 }, /^hours must be a whole number from 1 to 48$/],
  ['find_places', { q: '' }, /^The parameter 'q' is required$/],
];

type Headers = Record<string, string>;
const eachValue = (headers: Headers, change: (value: string, name: string) => string): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, change(value, name.toLowerCase())]),
  );
const ofProtocol = (change: (value: string) => string) => (headers: Headers) =>
  eachValue(headers, (value, name) => (name.startsWith('mcp-') ? change(value) : value));

/** Headers that mean the same as those of a message, by what differs. */
const SAME_HEADERS: [what: string, change: (headers: Headers) => Headers][] = [
  ['headers of the protocol twice, as Node.js joins them', ofProtocol((v) => `${v}, ${v}`)],
  ['headers of the protocol three times', ofProtocol((v) => `${v},${v} ,\t${v}`)],
  [
    'media types in upper case',
    (headers) =>
      eachValue(headers, (v, name) => (/^(accept|content)/.test(name) ? v.toUpperCase() : v)),
  ],
  ['an empty header of the protocol beside it', ofProtocol((v) => `, ${v},`)],
  [
    'every media type',
    (headers) => eachValue(headers, (v, name) => (name === 'accept' ? '*/*' : v)),
  ],
  [
    'media types with parameters',
    (headers) => ({
      ...headers,
      Accept: 'Application/Json;q=1, TEXT/event-stream; q=0.5, */*;q=0.1',
      'Content-Type': 'Application/JSON; Charset=UTF-8',
    }),
  ],
];

/**
 * Invalid requests by what is wrong: the status and the code of the error. The package tests the
 * other faults of the protocol.
 */
const REJECTED: [what: string, message: Message, status: number, code: number][] = [
  ['text that is not JSON', { headers: JSON_TYPES, body: '{"jsonrpc":"2.0",' }, 400, -32700],
  ['an unknown tool', callIn('2026-07-28', 'toString', {}), 200, -32602],
  ['an unknown tool, with a handshake', callIn('2025-11-25', '__proto__', {}), 200, -32602],
  [
    'a subscription, because the tools do not change',
    {
      headers: { ...listIn('2026-07-28').headers, 'Mcp-Method': 'subscriptions/listen' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true }, _meta: META },
      },
    },
    200,
    -32603,
  ],
];

interface Result {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}
interface Listed {
  name: string;
  description: string;
  inputSchema: { required?: string[]; properties: object };
  outputSchema: object;
}

const resultOf = ({ json }: Answer) => (json as { result: unknown }).result;

describe('POST /mcp', () => {
  const fixture = useService({
    MCP_ENABLED: 'true',
    TRUST_PROXY: '1',
    RATE_LIMIT_PER_IP: '3',
    RATE_LIMIT_TOTAL: '10000',
    CORS_ORIGINS: 'https://app.example',
    METRICS_PORT: '0',
  });
  let clients = 0;

  /** Sends a message from a new client. */
  const send = ({ headers, body }: Message, client = anyClient((clients += 1))): Promise<Answer> =>
    post(fixture.url, { headers: { ...headers, ...client }, body });

  async function call(era: string, tool: string, args: Record<string, unknown>): Promise<Result> {
    const answer = await send(callIn(era, tool, args));
    assert.equal(answer.status, 200, answer.text);
    return resultOf(answer) as Result;
  }

  for (const era of ERAS) {
    describe(`in the era of ${era}`, () => {
      it('lists the same tools, with schemas that have no references', async () => {
        const answer = await send(listIn(era));
        const { tools, ...more } = resultOf(answer) as { tools: Listed[] };
        assert.deepEqual(
          tools.map(({ name }) => name),
          TOOLS,
        );
        assert.doesNotMatch(answer.text, /\$ref|x-nullable/);
        for (const { inputSchema, outputSchema, description } of tools) {
          // Throws for an invalid schema.
          const schemas = new Ajv2020({ strictTypes: false, formats: { date: true } });
          schemas.compile(inputSchema);
          schemas.compile(outputSchema);
          assert.match(description, /place/);
        }
        const [first] = tools;
        const places = tools.at(-1);
        assert.deepEqual(Object.keys(first?.inputSchema.properties ?? {}), [
          ...['city', 'country', 'lat', 'lon', 'code', 'lang'],
        ]);
        const required = [first, places].map((tool) => tool?.inputSchema.required);
        assert.deepEqual(required, [undefined, ['q']]);
        const modern = { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' };
        const { _meta, ...rest } = more as { _meta?: object };
        assert.deepEqual(rest, era === '2026-07-28' ? modern : {});
        assert.equal(_meta !== undefined, era === '2026-07-28');
      });

      it('lists the tools in at most 10,000 bytes, with the unit of each quantity', async () => {
        const answer = await send(listIn(era));
        assert.ok(answer.body.length <= 10_000, `${answer.body.length} bytes`);
        const { tools } = resultOf(answer) as { tools: Listed[] };
        for (const [tool, words] of [
          [
            'current_weather',
            [
              'temperature, feels_like',
              'Celsius',
              'pressure: hectopascals',
              'visibility: meters',
              'is local',
            ],
          ],
          [
            'forecast_daily',
            [
              'temperature_max: degrees Celsius',
              'millimeters',
              'kilometers per hour',
              'percent',
              'are local',
            ],
          ],
          [
            'forecast_hourly',
            ['temperature', 'millimeters', 'wind_direction: degrees', 'is local'],
          ],
        ] as const) {
          const { description = '' } = tools.find(({ name }) => name === tool) ?? {};
          for (const word of words) assert.ok(description.includes(word), `${tool}: ${word}`);
        }
        // The arguments are not the text of a query.
        assert.doesNotMatch(answer.text, /5e-1|Spaces around|NFC/);
      });

      for (const [method, list] of [
        ['resources/list', 'resources'],
        ['resources/templates/list', 'resourceTemplates'],
        ['prompts/list', 'prompts'],
      ] as const) {
        it(`has an empty list for ${method}`, async () => {
          const answer = await send(messageIn(era, method));
          assert.equal(answer.status, 200);
          assert.deepEqual((resultOf(answer) as Record<string, unknown>)[list], []);
        });
      }

      for (const [what, change] of SAME_HEADERS) {
        it(`accepts ${what}`, async () => {
          for (const message of [
            listIn(era),
            callIn(era, 'current_weather', OSLO),
            callIn(era, 'find_places', { q: 'pots' }),
          ]) {
            const answer = await send({ ...message, headers: change(message.headers) });
            assert.equal(answer.status, 200, answer.text);
            const { isError, tools, content } = resultOf(answer) as Partial<Result> & {
              tools?: unknown;
            };
            assert.equal(isError, undefined);
            assert.ok(tools ?? content);
          }
        });
      }

      it('rejects two different values of a header', async () => {
        const message = callIn(era, 'current_weather', OSLO);
        for (const name of Object.keys(message.headers).filter((each) => /^mcp-/i.test(each))) {
          const headers = { ...message.headers, [name]: `${message.headers[name]!}, 2024-11-05x` };
          assert.equal((await send({ ...message, headers })).status, 400, name);
        }
      });

      for (const [tool, args, target] of SAME) {
        it(`returns what the API returns: ${tool} for ${JSON.stringify(args)}`, async () => {
          const { structuredContent = {}, content } = await call(era, tool, args);
          assert.deepEqual(JSON.parse(content[0]?.text ?? ''), structuredContent);
          const { attribution, provider, age_seconds: age, is_stale: stale } = structuredContent;
          const answer = await ask(fixture.url + target, { headers: anyClient((clients += 1)) });
          const more = ['attribution', 'provider', 'age_seconds', 'is_stale'];
          assert.deepEqual(
            without(structuredContent, ...more),
            without(answer.json as Record<string, unknown>, ...more),
          );
          assert.match((attribution as { url: string }).url, /^https:/);
          const about = tool === 'find_places' ? [undefined, undefined] : ['open-meteo', false];
          assert.deepEqual([provider, stale], about);
          assert.equal(Number.isInteger(age), tool !== 'find_places');
        });
      }

      it('says where the code of an airport goes, unless a place has such a name', async () => {
        for (const [q, code] of [
          ['MUC', 'MUC'],
          ['LAX', 'LAX'],
          ['EDDM', 'EDDM'],
          ['ULM', undefined],
          ['Pau', undefined],
          ['mun', undefined],
          ['Oslo', undefined],
        ] as const) {
          const { structuredContent = {} } = await call(era, 'find_places', { q });
          const hint = String(structuredContent['hint']);
          assert.equal(/Send it as code=(\w+):/.exec(hint)?.[1], code, q);
        }
      });

      it('names the arguments that a tool does not have in its result', async () => {
        for (const [tool, args] of [
          ['current_weather', { ...OSLO, units: 'imperial', date: null }],
          ['forecast_daily', { ...OSLO, days: 2, units: 'imperial', date: null }],
          ['find_places', { q: 'osl', lang: 'de', units: 1 }],
        ] as const) {
          const { structuredContent = {} } = await call(era, tool, args);
          const ignored = tool === 'find_places' ? 'lang, units' : 'units, date';
          assert.equal(structuredContent['ignored_arguments'], ignored, tool);
        }
      });

      it('has results that fit their published schemas, and have no other members', async () => {
        const { tools } = resultOf(await send(listIn(era))) as { tools: Listed[] };
        for (const [tool, args] of SAME) {
          const { structuredContent } = await call(era, tool, args);
          const schema = tools.find(({ name }) => name === tool)?.outputSchema ?? {};
          const validate = new Ajv2020({ strict: false, formats: { date: true } }).compile(
            closed(schema),
          );
          assert.ok(validate(structuredContent), JSON.stringify(validate.errors));
        }
      });

      for (const [tool, args, sentence] of MISTAKES) {
        const shown = JSON.stringify(args).slice(0, 60);
        it(`returns a sentence for a mistake: ${tool} for ${shown}`, async () => {
          const { content, isError, structuredContent } = await call(era, tool, args);
          assert.deepEqual([isError, structuredContent, content.length], [true, undefined, 1]);
          assert.match(content[0]?.text ?? '', sentence);
        });
      }

      it('counts a call in the windows of the client, and no other message', async () => {
        const client = anyClient((clients += 1));
        for (let n = 0; n < 20; n += 1) await send(listIn(era), client);
        const target = fixture.url + weatherOf('Oslo', 'Norway');
        // A request by HTTP, an invalid call, and a valid one.
        assert.equal((await ask(target, { headers: client })).status, 200);
        await send(callIn(era, 'forecast_daily', { ...OSLO, days: 99 }), client);
        const last = await send(callIn(era, 'current_weather', OSLO), client);
        assert.equal((resultOf(last) as Result).isError, undefined, last.text);
        const rejected = await send(callIn(era, 'forecast_hourly', OSLO), client);
        const { isError, content } = resultOf(rejected) as Result;
        assert.deepEqual([rejected.status, isError, content.length], [200, true, 1]);
        assert.match(
          content[0]?.text ?? '',
          /^The limit of 3 requests per client address is exceeded\. Retry in \d+ seconds\.$/,
        );
        assert.equal(rejected.headers['x-ratelimit-remaining'], '0');
        assert.equal((await ask(target, { headers: client })).status, 429);
        // Places have their own limit.
        const places = await send(callIn(era, 'find_places', { q: 'pots' }), client);
        assert.equal((resultOf(places) as Result).isError, undefined);
      });

      it('has no session: no cookie, and no recent search', async () => {
        const first = await ask(fixture.url + weatherOf('Paris', 'France'), {
          headers: anyClient((clients += 1)),
        });
        const cookie = first.cookies.map((each) => each.split(';')[0]).join('; ');
        const message = callIn(era, 'current_weather', OSLO);
        const answer = await send({ ...message, headers: { ...message.headers, Cookie: cookie } });
        assert.deepEqual([answer.cookies, answer.headers['mcp-session-id']], [[], undefined]);
        const searches = await ask(`${fixture.url}/api/v1/recent-searches`, {
          headers: { ...anyClient((clients += 1)), Cookie: cookie },
        });
        assert.deepEqual(searches.json, {
          recent_searches: [{ city: 'Paris', country: 'France' }],
        });
      });

      it('sends JSON without the headers of the response that the call stands for', async () => {
        for (const [tool, args] of SAME) {
          const { headers } = await send(callIn(era, tool, args));
          assert.match(String(headers['content-type']), /^application\/json/);
          assert.equal(headers['cache-control'], 'no-store');
          for (const name of ['etag', 'age', 'link', 'x-cache', 'x-accel-expires']) {
            assert.equal(headers[name], undefined, name);
          }
        }
      });
    });
  }

  it('has lists that do not change', async () => {
    const { capabilities } = resultOf(await send(HANDSHAKE)) as Record<string, unknown>;
    const listChanged = false;
    assert.deepEqual(capabilities, {
      ...{ tools: { listChanged }, resources: { listChanged }, prompts: { listChanged } },
    });
  });

  it('accepts notifications with 202 and no body', async () => {
    for (const [headers, body] of [
      [JSON_TYPES, { jsonrpc: '2.0', method: 'notifications/initialized' }],
      [
        { ...JSON_TYPES, 'MCP-Protocol-Version': '2026-07-28' },
        {
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: 1, _meta: META },
        },
      ],
    ] as const) {
      const answer = await send({ headers, body });
      assert.deepEqual(
        [answer.status, answer.text, answer.headers['content-type']],
        [202, '', undefined],
      );
    }
  });

  for (const [what, message, status, code] of REJECTED) {
    it(`rejects ${what}`, async () => {
      const answer = await send(message);
      assert.equal(answer.status, status, answer.text);
      assert.equal((answer.json as { error: { code: number } }).error.code, code);
    });
  }

  it('rejects a body that is too large or too deep', async () => {
    for (const [body, status] of [
      [`{"a":"${'a'.repeat(17_000)}"}`, 413],
      [`{"a":${'['.repeat(50)}${']'.repeat(50)}}`, 400],
    ] as const) {
      const answer = await send({ headers: JSON_TYPES, body });
      assert.equal(answer.status, status);
      assert.deepEqual(Object.keys(answer.json as object), ['error', 'message']);
    }
  });

  it('offers no other method', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
      const answer = await ask(`${fixture.url}/mcp`, { method });
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST, OPTIONS']);
    }
  });

  it('rejects the pages of origins that CORS_ORIGINS does not allow', async () => {
    const from = (Origin: string) =>
      send({ ...HANDSHAKE, headers: { ...HANDSHAKE.headers, Origin } });
    const long = `https://${'a'.repeat(1000)}.example`;
    for (const origin of ['https://evil.example', 'null', 'http://app.example', '', long]) {
      const answer = await from(origin);
      assert.deepEqual(
        [answer.status, (answer.json as { error: string }).error],
        [403, 'Forbidden'],
      );
    }
    assert.equal((await from('https://app.example')).status, 200);
    const preflight = await ask(`${fixture.url}/mcp`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
    });
    assert.equal(preflight.status, 204);
    assert.equal(
      preflight.headers['access-control-allow-headers'],
      'Content-Type, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
    );
  });

  /** The record of a call. */
  async function recordOf(id: string, message: Message): Promise<LogRecord> {
    await send({ ...message, headers: { ...message.headers, 'X-Request-ID': id } });
    const own = () =>
      fixture.service.records.filter(
        (record) => record['request_id'] === id && record.event.endsWith('request'),
      );
    await eventually(() => own().length > 0, `the record of ${id}`);
    assert.equal(own().length, 1);
    return own()[0]!;
  }

  it('writes the record of the request that a call stands for, with `via`', async () => {
    const found = await recordOf('call-1', callIn('2026-07-28', 'forecast_daily', OSLO));
    const { event, kind, via, city, status, path, level, cache } = found;
    assert.deepEqual(
      { event, kind, via, city, status, path, level, cache },
      {
        ...{ event: 'weather_request', kind: 'forecast', via: 'mcp', city: 'Oslo', status: 200 },
        ...{ path: '/mcp', level: 'INFO', cache: 'HIT' },
      },
    );
    const invalid = await recordOf(
      'call-2',
      callIn('2025-11-25', 'current_weather', { city: '<', country: 'x' }),
    );
    assert.deepEqual(
      [invalid.event, invalid['via'], invalid['status'], invalid.level, invalid['city']],
      ['weather_request', 'mcp', 400, 'WARNING', '<'],
    );
    const list = await recordOf('call-3', listIn('2025-11-25'));
    assert.deepEqual([list.event, list['via'], list['status']], ['request', 'mcp', 200]);
    assert.equal(list['kind'], undefined);
    const places = await recordOf('call-4', callIn('2026-07-28', 'find_places', { q: 'pots' }));
    assert.deepEqual([places.event, places['via'], places['kind']], ['request', 'mcp', 'places']);
  });
});
