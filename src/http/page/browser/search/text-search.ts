/** Searches for the city that a typed text means. */
import { failureOf } from '../service/api-client.js';
import type { Clock } from '../view/clock.js';
import { errorText } from '../messages/error-texts.js';
import type { LatestRequest } from '../service/latest-request.js';
import { offerAlternatives } from '../messages/alternatives.js';
import type { PlaceClient } from './place-client.js';
import { interpret } from './place-search.js';
import { pointIn } from './typed-point.js';
import type { Query } from '../service/queries.js';
import { retryLater } from '../messages/retry.js';
import type { View } from '../view/view.js';

export interface TextSearchOptions {
  view: View;
  clock: Clock;
  places: PlaceClient;
  /** The search of the page. It aborts when the user starts another one. */
  searches: LatestRequest;
  /** The text that the user has typed. */
  typedText: () => string;
  /** Receives the place, and a text to show beside its weather. */
  onPlace: (place: Query, note: string) => void;
}

export function createTextSearch(options: TextSearchOptions) {
  const { view, clock, places, searches, typedText, onPlace } = options;

  /** @param attempt number of earlier attempts without a response */
  async function submit(text: string, attempt = 0): Promise<void> {
    // If the user has typed something else meanwhile, the page does not repeat the search by itself.
    if (attempt > 0 && typedText() !== text) {
      view.clearMessage();
      return;
    }
    const signal = searches.start();
    if (text === '') {
      view.showMessage('Please type the name of a city.');
      return;
    }
    const point = pointIn(text);
    if (point) {
      onPlace(point, '');
      return;
    }
    view.begin();
    view.showStatus('Searching for the place …');
    try {
      const { city, text: explanation } = await interpret(places, text, signal);
      if (signal.aborted) return;
      if (city) {
        onPlace(city, explanation);
        return;
      }
      view.showError(explanation);
      await offerAlternatives({ view, places }, { city: text, country: '' }, signal);
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      if (failure.status === 0) view.showOutage();
      else view.showError(errorText(failure));
      const retry = (next: number) => void submit(text, next);
      await retryLater({ failure, signal, attempt, retry }, view, clock);
    }
  }

  return { submit };
}
