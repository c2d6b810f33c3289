import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceUnavailableError } from '../../src/weather/errors.js';
import { LOCATION_ENDPOINTS } from '../../src/http/endpoints/location-routes.js';
import { createDemo } from '../../src/providers/demo.js';
import { readEntry } from '../../src/redis/fetching/shared-entries.js';
import { ttlWithin } from '../../src/weather/cache-entry.js';
import type { AnyKind } from '../../src/weather/kinds/kind.js';
import { POINT_KINDS } from '../../src/weather/kinds/kinds.js';
import { manualClock } from '../support/manual-clock.js';
import { fc } from '../support/properties.js';

const NOW = Date.UTC(2026, 10, 24, 9, 20);
const POINT = { latitude: 52.5, longitude: 13.4, timeZone: 'Europe/Berlin' };
const TTL = { freshMs: 300_000, staleMs: 3_600_000 };

/** Values that are near to valid ones, or that have broken a reader. */
const ODD = [
  ...[null, '', 'x', true, -1, 0, 0.5, 1e15, 9e14, 8.64e15, 253_402_300_799_999, 1e300],
  ...['2026-13-45', '2026-00-00', '2026-02-30', '9999-12-31', '0000-01-01', '+010000-01-01'],
  ...['2026-11-24T25:00', '2026-11-24T07:60', 'Europe/Nowhere', '__proto__', [], {}, [null]],
];
const odd = fc.oneof(fc.constantFrom<unknown>(...ODD), fc.jsonValue(), fc.double(), fc.integer());

/** Paths to every member of a value, at any depth. */
function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.keys(value).flatMap((key) => pathsIn(Reflect.get(value, key), [...path, key])),
  ];
}

/** A copy with another member at a path; without the member if that is undefined. */
function changed(value: unknown, [key, ...rest]: string[], member: unknown): unknown {
  if (key === undefined) return member;
  const copy: object = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  Reflect.set(copy, key, changed(Reflect.get(copy, key), rest, member));
  return copy;
}

const copyOf = (value: unknown): unknown =>
  (JSON.parse(JSON.stringify({ value })) as { value: unknown }).value;

/** Reads an entry as it would be read from Redis, and makes every response of it. */
function serve(kind: AnyKind, entry: unknown): void {
  const ttlOf = (value: unknown, referenceTime = NOW) =>
    ttlWithin(TTL, kind.remainingMs?.(value, referenceTime) ?? Infinity);
  const read = readEntry({ kind, ttlOf }, copyOf(entry), 1000, 5000);
  if (!read) return;
  const place = {
    ...POINT,
    city: 'Berlin',
    country: 'Germany',
    countryCode: 'DE',
    region: undefined,
    timeZone: 'Europe/Berlin',
  };
  const location = { city: 'Berlin', country: 'Germany', latitude: null, longitude: null };
  const located = {
    ...{ location, place, point: POINT },
    ...{ timeZone: POINT.timeZone, isFromGazetteer: true },
  };
  for (const endpoint of LOCATION_ENDPOINTS.filter((each) => each.kind.name === kind.name)) {
    const context = {
      ...{ options: { days: 99, hours: 999 } as never, located, provider: 'demo', credit: null },
      now: read.referenceTime ?? NOW,
    };
    try {
      const body = endpoint.membersOf(read.value as object, context);
      assert.doesNotMatch(JSON.stringify(body), /"[+-]\d{6}-/);
      for (const header of Object.values(endpoint.headers ?? {})) {
        header.valueFor(read.value as object, context);
      }
    } catch (error) {
      // Nothing of the value is left.
      if (!(error instanceof ServiceUnavailableError)) throw error;
    }
  }
}

describe('what is stored', () => {
  for (const { kind, ability } of POINT_KINDS) {
    const any = kind as AnyKind;
    const entry = async () => {
      const demo = createDemo({ clock: manualClock(NOW), log: { warn: () => undefined } });
      const { value } = await demo[ability](POINT, new AbortController().signal);
      return {
        value,
        provider: 'demo',
        fetchId: 'f',
        referenceTime: NOW,
        freshMs: 1000,
        staleMs: 1000,
      };
    };

    it(`for the kind ${kind.name} with any change is a miss or is served, and never throws`, async () => {
      const valid = await entry();
      const change = fc.tuple(
        fc.constantFrom(...pathsIn(valid)),
        fc.option(odd, { nil: undefined }),
      );
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
          const apply = (from: unknown, [path, member]: (typeof changes)[number]) => {
            try {
              return changed(from, path, member);
            } catch {
              // An earlier change has removed the holder of the member.
              return from;
            }
          };
          serve(any, changes.reduce<unknown>(apply, valid));
        }),
      );
    });

    it(`for the kind ${kind.name} may be any JSON, as an entry and as the request of a job`, async () => {
      const valid = await entry();
      fc.assert(
        fc.property(odd, (json) => {
          serve(any, json);
          serve(any, { ...valid, value: json });
          if (any.isRequest(json)) any.keyOf(json);
          if (any.isRequest({ point: json })) any.keyOf({ point: json });
        }),
      );
    });
  }
});
