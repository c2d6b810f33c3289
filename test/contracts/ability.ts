import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { upstreamFor, type RemoteProviderName } from '../../src/config/providers.js';
import { UpstreamError } from '../../src/weather/errors.js';
import { hasNoData } from '../../src/providers/kind-values.js';
import type { WeatherProvider } from '../../src/upstream/weather-provider.js';
import { POINT_KINDS, type AbilityName } from '../../src/weather/kinds/kinds.js';
import { rowOf, type Quantity } from '../../src/weather/kinds/quantities.js';
import type { Point, ZonedPoint } from '../../src/weather/types.js';
import { providerAt, SECRET_KEY } from '../support/providers.js';
import { stepsIn, withWords } from '../support/steps.js';
import type { StubProvider } from '../support/stub-provider.js';
import { USER_AGENT, useStubProvider } from '../support/use-stub-provider.js';
import { zoned } from '../support/zoned.js';

/** The tests that every ability of every provider must pass. */

/** The path of a value in a response, as keys and indexes. */
type Path = (string | number)[];

/** What differs between the responses of the providers. */
export interface UnderTest {
  /** The path of the stub provider that it calls. */
  path: string;
  /** The paths of numbers without which one day or hour, or the current weather, is missing. */
  values: Path[];
  /** The path of the weather code. Every number can be a code: an unknown one means `Unknown`. */
  code?: Path;
  /** The paths of numbers that others of the same date replace. */
  spare?: Path[];
  /** The variables with which it supplies optional values that it does not supply by default. */
  env?: Record<string, string>;
  /** The quantities that are null, in one day or hour, without the number at a path. */
  optional: [member: Quantity, path: Path][];
  /**
   * The optional quantities that do not depend on one number of the response alone: they are
   * computed, or read from texts or several numbers. The tests of the provider have them.
   */
  derived?: Quantity[];
}

/** Points whose coordinates need care in a URL. */
export const POINTS: ZonedPoint[] = [
  { latitude: 51.5085, longitude: -0.1257 },
  { latitude: 51.50853, longitude: -0.1262 },
  { latitude: 59.9127, longitude: 10.7461 },
  { latitude: -33.8678, longitude: 151.2073 },
  { latitude: 0, longitude: 0 },
  { latitude: -0.00001, longitude: 1e-7 },
  { latitude: 90, longitude: -180 },
].map(zoned);
export const HERE = POINTS[0]!;

/** The coordinates that are sent for a point. */
export const sentFor = ({ latitude, longitude }: Point) =>
  [latitude, longitude].map((value) => Number(value.toFixed(4)) + 0) as [number, number];

/** Values that the service computes from others, whatever the provider. */
export const COMPUTED = new Set<Quantity>(['day_length', 'moon_phase']);
/** JSON texts of a wrong type in place of a number. */
const WRONG_TYPES = ['"8.4"', 'true', '{}', '[]'];
/** JSON texts without a plausible number. Undefined: the member is absent. */
const IMPLAUSIBLE = [undefined, 'null', '1e999', '-999', '1e300'];
const NO_CODE = [undefined, 'null'];

/** One of the texts, another for each value: the same functions read all values of a response. */
const oneOf = <T>(texts: readonly T[], index: number): T => texts[index % texts.length]!;

/** The body with the JSON text in place of one value; undefined text: without the value. */
function replaced(body: unknown, path: Path, text: string | undefined): string {
  const copy = structuredClone(body);
  Reflect.set(valueAt(copy, path.slice(0, -1)) as object, path.at(-1)!, text && '@@');
  return JSON.stringify(copy).replace('"@@"', text ?? '');
}

const isNotCovered = (error: unknown) =>
  error instanceof UpstreamError && error.kind === 'not_covered';

/** A value in a response of the stub provider. */
const valueAt = (body: unknown, path: Path) =>
  path.reduce<unknown>((holder, key) => {
    assert.ok(holder instanceof Object, `the stub provider does not send ${path.join('.')}`);
    return Reflect.get(holder, key);
  }, body);

type Step = Record<string, unknown>;

/** The days or the hours of a value, or the current weather as one step. */
const stepsOf = (value: object): Step[] =>
  'timezone' in value ? stepsIn(value as never) : [withWords(value as never)];

export type ProviderFixture = ReturnType<typeof useProvider>;

/** A provider that calls a stub provider. It is new for each use, so it remembers nothing. */
export function useProvider(
  name: RemoteProviderName,
  ability: AbilityName,
  { env = {} }: Pick<UnderTest, 'env'>,
) {
  const service = upstreamFor(name, ability);
  const fixture = useStubProvider();
  beforeEach(() => {
    fixture.stub.world.stations.push(sentFor(HERE));
  });
  return {
    name,
    get stub(): StubProvider {
      return fixture.stub;
    },
    get provider(): WeatherProvider {
      return providerAt(name, fixture, { env });
    },
    /** Asserts that a call fails. The error must not contain the API key. */
    fails: (call: () => Promise<unknown>, kind: UpstreamError['kind'], what?: string) =>
      assert.rejects(call(), (error) => {
        assert.ok(error instanceof UpstreamError, String(error));
        assert.deepEqual([error.upstream, error.kind], [service, kind], what);
        assert.ok(!`${error.message}${String(error.stack)}`.includes(SECRET_KEY));
        return true;
      }),
  };
}

/** Tests that each number of a response may be missing, and that none has another type. */
export function testValues(ability: AbilityName, fixture: ProviderFixture, each: UnderTest): void {
  const { path, values, code, spare = [], optional, derived = [] } = each;

  const ask = () => fixture.provider[ability]!(HERE, new AbortController().signal);
  const steps = async () => stepsOf((await ask()).value);
  const stepsLeft = () =>
    steps().catch((error: unknown) => {
      if (hasNoData(error) || isNotCovered(error)) return [];
      throw error;
    });
  /** The body of the regular response. */
  const regular = async (): Promise<unknown> => {
    await ask();
    const headers = { 'user-agent': USER_AGENT, connection: 'close' };
    const response = await fetch(fixture.stub.url + fixture.stub.calls.at(-1)!.url, { headers });
    return response.json();
  };
  /** Responds with a body in which the JSON text replaces a value. */
  const respond = (body: unknown, value: Path, text: string | undefined) => {
    fixture.stub.behave(path, { kind: 'status', status: 200, body: replaced(body, value, text) });
  };

  it('supplies no other optional values than those that are named', async () => {
    const all = await steps();
    const { quantities } = POINT_KINDS.find((row) => row.ability === ability)!.kind;
    const named = new Set([...COMPUTED, ...optional.map(([name]) => name)]);
    const unnamed = quantities.optional.filter(
      (name) => !named.has(name) && all.some((step) => typeof step[name] === 'number'),
    );
    assert.deepEqual(unnamed.sort(), [...derived].sort());
  });

  const needed = code ? [...values, code] : values;
  for (const [index, value] of [...needed, ...spare].entries()) {
    const isSpare = spare.includes(value);
    const effect = isSpare ? 'does not change' : 'lacks one step';
    it(`${effect} without ${value.join('.')}, and fails with one of another type`, async () => {
      const all = await steps();
      const body = await regular();
      const wrong = oneOf(WRONG_TYPES, index);
      respond(body, value, wrong);
      await fixture.fails(ask, 'bad_answer', wrong);
      const text = oneOf(value === code ? NO_CODE : IMPLAUSIBLE, index);
      respond(body, value, text);
      const left = await stepsLeft();
      const missing = all.filter((step) => !left.some((one) => isDeepStrictEqual(one, step)));
      const expected = isSpare ? 0 : 1;
      assert.deepEqual([missing.length, all.length - left.length], [expected, expected], text);
    });
  }

  for (const [index, [member, value]] of optional.entries()) {
    it(`has null for ${member} without ${value.join('.')}, and fails with one of another type`, async () => {
      const body = await regular();
      const present = JSON.stringify(valueAt(body, value) ?? rowOf(member).example);
      respond(body, value, present);
      const all = await steps();
      const hasMember = all.some((step) => typeof step[member] === 'number');
      assert.ok(hasMember, `${present} is implausible: the stub provider must have the value`);
      respond(body, value, WRONG_TYPES[0]);
      await fixture.fails(ask, 'bad_answer');
      const text = oneOf(IMPLAUSIBLE, index);
      respond(body, value, text);
      const left = await steps();
      assert.equal(left.length, all.length, text);
      const lost = all.filter(
        (step, index) => typeof step[member] === 'number' && left[index]![member] === null,
      );
      assert.equal(lost.length, 1, text);
    });
  }
}
