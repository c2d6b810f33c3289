/** Loads the current weather of a place, then its forecast. */
import {
  askForecast,
  askWeather,
  failureOf,
  limitsOf,
  type Forecast,
  type Weather,
} from '../service/api-client.js';
import type { Clock } from '../view/clock.js';
import { errorText, forecastErrorText } from '../messages/error-texts.js';
import type { LatestRequest } from '../service/latest-request.js';
import { offerAlternatives } from '../messages/offer-alternatives.js';
import { createPauses } from '../messages/pauses.js';
import type { PlaceClient } from '../search/place-client.js';
import type { Question } from '../service/questions.js';
import { retryLater } from '../messages/retry.js';
import type { View } from '../view/view.js';

export interface LoaderOptions {
  view: View;
  clock: Clock;
  places: PlaceClient;
  /** The search of the page. It aborts when the user starts another one. */
  searches: LatestRequest;
  /** Runs after each successful search for a city. */
  onCity: () => void;
}

export function createWeatherLoader({ view, clock, places, searches, onCity }: LoaderOptions) {
  const pauses = createPauses(clock);

  /**
   * Loads the weather and the forecast.
   * @param note text to show beside the weather
   * @param attempt number of earlier attempts without a response
   */
  async function load(question: Question, note = '', attempt = 0): Promise<void> {
    const signal = searches.start();
    view.begin();
    const pause = pauses.of(question);
    if (pause) {
      view.showError(pause.text);
      view.offerRetry(pause.until, () => void load(question, note));
      return;
    }
    if (attempt === 0) view.clearMessage();
    view.showStatus('Loading the weather …');
    try {
      const { body, headers } = await askWeather(question, signal);
      if (signal.aborted) return;
      view.clearMessage();
      view.showStatus(note);
      view.showWeather(body as Weather, headers);
      view.showLimits(limitsOf(headers));
      // Loaded after the weather, so that an invalid place costs one request, and a new client gets
      // one session.
      void loadForecast(question);
      if ('city' in question) onCity();
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      view.showError(errorText(failure, question));
      view.showLimits(failure.limits);
      pauses.add(failure, question);
      if (failure.title === 'Geocoding failed' && 'city' in question) {
        await offerAlternatives({ view, places }, question, failure.message, signal);
      }
      const retry = (next: number) => void load(question, note, next);
      await retryLater({ failure, signal, attempt, retry }, view, clock);
    }
  }

  /** Loads the forecast of the place that is shown. If that fails, the current weather stays. */
  async function loadForecast(question: Question): Promise<void> {
    const signal = view.beginForecast();
    try {
      const { body, headers } = await askForecast(question, signal);
      if (signal.aborted) return;
      view.showForecast(body as Forecast, headers);
      view.showLimits(limitsOf(headers));
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      view.showForecastError(forecastErrorText(failure));
      view.showLimits(failure.limits);
      if (failure.status === 429) pauses.add(failure, question);
    }
  }

  return { load };
}
