/** Loads the weather of a place: first its present weather, then the next hours and days. */
import { failureOf, limitsOf } from '../service/api-client.js';
import type { LatestRequest } from '../service/latest-request.js';
import type { City, Query } from '../service/queries.js';
import { askConditions, askDays, askHours } from '../service/weather-api.js';
import { offerAlternatives } from '../messages/alternatives.js';
import { errorText, sectionErrorText } from '../messages/error-texts.js';
import { createPauses } from '../messages/pauses.js';
import { retryLater } from '../messages/retry.js';
import type { PlaceClient } from '../search/place-client.js';
import type { Clock } from '../view/clock.js';
import type { SectionView, View } from '../view/view.js';

export interface LoaderOptions {
  view: View;
  clock: Clock;
  places: PlaceClient;
  /** The search of the page. It aborts when the user starts another one. */
  searches: LatestRequest;
  /** Receives each city whose weather was found, as the service spells it. */
  onCity: (city: City) => void;
}

export function createLoader({ view, clock, places, searches, onCity }: LoaderOptions) {
  const pauses = createPauses(clock);

  /**
   * Loads the weather of a place.
   * @param note text to show beside the weather
   * @param attempt number of earlier attempts without a response
   */
  async function load(query: Query, note = '', attempt = 0): Promise<void> {
    const signal = searches.start();
    view.begin();
    const pause = pauses.of(query);
    if (pause) {
      view.showError(pause.text);
      view.offerRetry(pause.until, () => void load(query, note));
      return;
    }
    if (attempt === 0) view.clearMessage();
    view.startLoading(query);
    try {
      const response = await askConditions(query, signal);
      if (signal.aborted) return;
      view.clearMessage();
      view.showStatus(note);
      view.showConditions(query, response);
      view.showLimits(limitsOf(response.headers));
      // Loaded after the present weather, so that an invalid place costs one request.
      void loadSection(view.hours, askHours, query);
      void loadSection(view.days, askDays, query);
      const { city, country } = response.body.location;
      if ('city' in query) onCity({ city, country });
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      if (failure.status === 0) view.showOutage();
      else view.showError(errorText(failure, query));
      pauses.add(failure, query);
      if (failure.title === 'Geocoding failed' && 'city' in query) {
        await offerAlternatives({ view, places }, query, signal, failure);
      }
      const retry = (next: number) => void load(query, note, next);
      await retryLater({ failure, signal, attempt, retry }, view, clock);
    }
  }

  /** Loads the hours or the days of the place that is shown. If that fails, the rest stays. */
  async function loadSection<Result>(
    section: SectionView<Result>,
    ask: (query: Query, signal: AbortSignal) => Promise<Result>,
    query: Query,
  ): Promise<void> {
    const signal = section.begin();
    try {
      const response = await ask(query, signal);
      if (!signal.aborted) section.show(response);
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      section.showError(sectionErrorText(failure));
      if (failure.status === 429) pauses.add(failure, query);
    }
  }

  return { load };
}
