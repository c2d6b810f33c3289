/** Requests places from the service, and sends no request while the service rejects them. */
import { Failure, ask } from '../service/api-client.js';
import type { Clock } from '../view/clock.js';
import type { City } from '../service/queries.js';

export interface Place extends City {
  region: string | null;
}

export interface PlaceClient {
  /**
   * Requests places by the beginning of a name, in a country if it is given.
   * @returns undefined if the text is not a valid name, or the country is unknown
   * @throws Failure
   */
  find: (q: string, signal: AbortSignal, country?: string) => Promise<Place[] | undefined>;
  /** Like `find`, but returns an empty list after a failure. */
  findOrNone: (q: string, signal: AbortSignal, country?: string) => Promise<Place[]>;
}

export function createPlaceClient(clock: Clock): PlaceClient {
  /** The last `Retry-After`, by the clock of the page, and the status of that response. */
  let pause: { until: number; status: number } | undefined;

  async function find(
    q: string,
    signal: AbortSignal,
    country?: string,
  ): Promise<Place[] | undefined> {
    if (pause && pause.until > clock.now()) {
      const left = Math.ceil((pause.until - clock.now()) / 1000);
      throw new Failure(pause.status, '', '', new Headers({ 'Retry-After': String(left) }));
    }
    const query = new URLSearchParams({ q, limit: '10', ...(country ? { country } : {}) });
    try {
      const { body } = await ask(`api/v1/places?${query.toString()}`, signal);
      return (body as { places: Place[] }).places;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.status === 400) return undefined;
      pause = { until: clock.now() + error.retryAfter * 1000, status: error.status };
      throw error;
    }
  }

  async function findOrNone(q: string, signal: AbortSignal, country?: string): Promise<Place[]> {
    try {
      return (await find(q, signal, country)) ?? [];
    } catch {
      signal.throwIfAborted();
      return [];
    }
  }

  return { find, findOrNone };
}
