import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { PROVIDERS, type ServiceName } from '../../src/config/providers.js';
import { UpstreamError } from '../../src/base/errors.js';
import { createMetNorway } from '../../src/providers/met-norway/met-norway.js';
import { createOpenMeteo } from '../../src/providers/open-meteo/open-meteo.js';
import { createOpenWeatherMap } from '../../src/providers/openweathermap/openweathermap.js';
import { createWeatherGov } from '../../src/providers/weather-gov/weather-gov.js';
import type { UpstreamClient } from '../../src/upstream/upstream-client.js';
import type { Abilities, WeatherProvider } from '../../src/upstream/weather-provider.js';
import type { Point } from '../../src/weather/types.js';
import { systemClock } from '../support/manual-clock.js';
import type { StubKind, StubProvider } from '../support/stub-provider.js';
import { USER_AGENT, useStubProvider } from '../support/use-stub-provider.js';

/** The tests of one ability, which every provider that has it must pass. */

interface ProviderCase {
  create: (client: UpstreamClient, baseUrl: string) => WeatherProvider;
  /** The condition for the words of a sky, for a service that distinguishes fewer of them. Absent: those words. */
  conditionOf?: (words: string) => string;
}

export const SECRET_KEY = 'top-secret-key';

const CASES: Record<ServiceName, ProviderCase> = {
  'open-meteo': {
    create: (client, baseUrl) => createOpenMeteo({ client, baseUrl, apiKey: SECRET_KEY }),
  },
  openweathermap: {
    create: (client, baseUrl) => createOpenWeatherMap({ client, baseUrl, apiKey: SECRET_KEY }),
  },
  'met-norway': {
    create: (client, baseUrl) =>
      createMetNorway({ client, onDeprecated: () => undefined, baseUrl }),
  },
  'weather-gov': {
    create: (client, baseUrl) => createWeatherGov({ client, baseUrl, clock: systemClock }),
  },
};

/** Points whose coordinates need care in a URL. */
export const POINTS: Point[] = [
  { latitude: 51.5085, longitude: -0.1257 },
  { latitude: 51.50853, longitude: -0.1262 },
  { latitude: 59.9127, longitude: 10.7461 },
  { latitude: -33.8678, longitude: 151.2073 },
  { latitude: 0, longitude: 0 },
  { latitude: -0.00001, longitude: 1e-7 },
  { latitude: 90, longitude: -180 },
];
export const HERE = POINTS[0]!;

/** The coordinates that are sent for a point. */
export const sentFor = ({ latitude, longitude }: Point) =>
  [latitude, longitude].map((value) => Number(value.toFixed(4)) + 0) as [number, number];

/** The path of a value in a response, as keys and indexes. */
export type Path = (string | number)[];
/** A member that is null without the value. */
export type Optional = [member: string, path: Path];

/** JSON texts of a wrong type in place of a number. */
export const WRONG_TYPES = ['"8.4"', 'true', '{}', '[]'];
/** The same for a value that a response does not need: the schema of all numbers is one. */
export const WRONG_TYPE = '"8.4"';
/** JSON texts without a plausible number. */
export const IMPLAUSIBLE = ['null', '1e999', '-999', '1e300'];
export const NO_OPTIONAL = ['null', '1e999', '-999'];
/** Every number can be a code. An unknown code is the condition `Unknown`. */
export const isCode = (path: Path) => path.some((key) => key === 'weather_code' || key === 'id');

/** The body with the JSON text in place of one value; without the value if the text is undefined. */
function replaced(body: unknown, path: Path, text: string | undefined): string {
  const copy = structuredClone(body);
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => Reflect.get(value as object, key), copy);
  Reflect.set(holder as object, path.at(-1)!, text && '@@');
  return JSON.stringify(copy).replace('"@@"', text ?? '');
}

export type ProviderFixture = ReturnType<typeof useProvider>;

/** A provider that calls a stub provider, new for each test. */
function useProvider(name: ServiceName, kinds: StubKind[]) {
  const fixture = useStubProvider(...kinds);
  let provider: WeatherProvider;
  beforeEach(() => {
    provider = CASES[name].create(fixture.client, fixture.stub.url);
  });
  const { conditionOf = (words: string) => words } = CASES[name];
  return {
    name,
    conditionOf,
    get stub(): StubProvider {
      return fixture.stub;
    },
    get provider() {
      return provider;
    },
    /** Responds with a body in which the JSON text replaces a value. */
    respondWith(path: string, body: unknown, value: Path, text: string | undefined): void {
      fixture.stub.behave(path, { kind: 'status', status: 200, body: replaced(body, value, text) });
    },
    /** The body of the regular response to a call. */
    async regular(call: () => Promise<unknown>): Promise<unknown> {
      await call();
      const headers = { 'user-agent': USER_AGENT, connection: 'close' };
      const response = await fetch(fixture.stub.url + fixture.stub.calls.at(-1)!.url, { headers });
      return response.json();
    },
    /** Asserts that a call fails. The error must not contain the API key. */
    fails: (call: () => Promise<unknown>, kind: UpstreamError['kind'], what?: string) =>
      assert.rejects(call(), (error) => {
        assert.ok(error instanceof UpstreamError, String(error));
        assert.deepEqual([error.upstream, error.kind], [name, kind], what);
        assert.ok(!`${error.message}${String(error.stack)}`.includes(SECRET_KEY));
        return true;
      }),
  };
}

/**
 * Runs the suite of an ability for each provider that has it.
 * @param cases what differs between the providers
 * @param kinds the responses of the stub provider, unless every test has them
 */
export function testAbility<Case>(
  ability: keyof Abilities,
  cases: Partial<Record<ServiceName, Case>>,
  suite: (fixture: ProviderFixture, underTest: Case) => void,
  ...kinds: StubKind[]
): void {
  describe(`the ability ${ability}`, { timeout: 240_000 }, () => {
    it('is tested for exactly the providers that have it', () => {
      const nowhere = {} as UpstreamClient;
      const having = PROVIDERS.map(([name]) => name).filter(
        (name) => CASES[name].create(nowhere, 'http://nowhere.example')[ability],
      );
      assert.deepEqual(Object.keys(cases).sort(), having.sort());
    });
    for (const [name, underTest] of Object.entries(cases) as [ServiceName, Case][]) {
      describe(`of ${name}`, () => {
        suite(useProvider(name, kinds), underTest);
      });
    }
  });
}
