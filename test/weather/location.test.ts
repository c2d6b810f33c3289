import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceUnavailableError, UpstreamError } from '../../src/weather/errors.js';
import { createLocator } from '../../src/weather/location.js';
import type { Lookup } from '../../src/weather/lookup.js';
import type { CityMatch } from '../../src/weather/types.js';
import { scope } from '../support/scope.js';

/** Looks up a name that only a geocoder knows, whose lookup fails. */
async function find(failure: Error, city = 'Zeroville'): Promise<unknown> {
  const gazetteer = {
    findCity: (): CityMatch => ({
      ...{ kind: 'unknown_city' as const, country: 'Ghana', countryCode: 'GH', key: 'k' },
      suggestions: [],
    }),
    nearest: () => undefined,
    byCode: () => undefined,
    suggest: () => undefined,
  };
  const lookup: Lookup = () => Promise.reject(failure);
  const locator = createLocator({ gazetteer, lookup, timeZoneAt: () => 'UTC' });
  const name = (text: string) => ({ plain: text, shown: text });
  return locator.byCity(name(city), name('Ghana'), scope());
}

describe('a name that only the geocoder knows', () => {
  it('is unknown if the geocoder fails', async () => {
    for (const kind of ['unavailable', 'quota', 'bad_answer', 'no_data'] as const) {
      const cause = new UpstreamError('geocoder', kind, 'down');
      const failure = new ServiceUnavailableError('failed', { cause });
      await assert.rejects(find(failure), { name: 'PlaceNotFoundError' });
    }
  });

  it('can have three or four capital letters, if they are no code of an airport', async () => {
    const failure = new Error('the geocoder is asked');
    for (const city of ['OUL', 'OULX']) {
      await assert.rejects(find(failure, city), (error) => error === failure);
    }
  });

  it('is not called unknown if this service is overloaded', async () => {
    const cause = new UpstreamError('geocoder', 'over_budget', 'budget used up');
    for (const failure of [
      new ServiceUnavailableError('Too many fetches are waiting'),
      new ServiceUnavailableError('The request took too long'),
      new ServiceUnavailableError('failed', { cause }),
      new Error('The process ends'),
    ]) {
      await assert.rejects(find(failure), (error) => error === failure);
    }
  });
});
