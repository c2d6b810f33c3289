/** Remembers how long the service rejects requests, so that the page does not send them. */
import type { Failure } from '../service/api-client.js';
import type { Clock } from '../view/clock.js';
import { errorText } from './error-texts.js';
import { searchOf, type Query } from '../service/queries.js';

export interface Pause {
  /** By the clock of the page. */
  until: number;
  /** The text for the user. */
  text: string;
}

export function createPauses(clock: Clock) {
  /** The address is empty if the service rejects every request. */
  let last = { until: 0, address: '', text: '' };
  return {
    /** Remembers `Retry-After`: after a 429 for all requests, else for those of this query. */
    add(failure: Failure, query: Query): void {
      const { retryAfter, status } = failure;
      if (retryAfter === 0) return;
      last = {
        until: clock.now() + retryAfter * 1000,
        address: status === 429 ? '' : searchOf(query),
        text: errorText(failure, query),
      };
    },
    /** Returns the pause in which a query must not be sent; undefined if there is none. */
    of(query: Query): Pause | undefined {
      const isMeant = ['', searchOf(query)].includes(last.address);
      return isMeant && clock.now() < last.until ? last : undefined;
    },
  };
}
