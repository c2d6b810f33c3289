/** Remembers how long the service rejects requests, so that the page does not send them. */
import type { Failure } from '../service/api-client.js';
import type { Clock } from '../view/clock.js';
import { errorText } from './error-texts.js';
import { queryOf, type Question } from '../service/questions.js';

export interface Pause {
  /** By the clock of the page. */
  until: number;
  /** The text for the user. */
  text: string;
}

export function createPauses(clock: Clock) {
  /** The query is empty if the service rejects every request. */
  let last = { until: 0, query: '', text: '' };
  return {
    /** Remembers `Retry-After`: after a 429 for all requests, else for those of this question. */
    add(failure: Failure, question: Question): void {
      const { retryAfter, status } = failure;
      if (retryAfter === 0) return;
      last = {
        until: clock.now() + retryAfter * 1000,
        query: status === 429 ? '' : queryOf(question),
        text: errorText(failure, question),
      };
    },
    /** Returns the pause in which a question must not be sent; undefined if there is none. */
    of(question: Question): Pause | undefined {
      const isMeant = ['', queryOf(question)].includes(last.query);
      return isMeant && clock.now() < last.until ? last : undefined;
    },
  };
}
