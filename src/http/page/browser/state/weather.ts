/** Loads the weather of a place: first its conditions, then the next hours and days. */
import { askConditions, askDays, askHours, Failure, failureOf } from './api.js';
import { store as storeInBrowser } from './browser.js';
import type { Latest } from './latest.js';
import { linkedCities, type City, type Query } from './queries.js';
import type { Store, Weather } from './store.js';
import { loadPlace } from '../place/lazy-place.js';
import { problemText } from '../messages/texts.js';

/** The key of the last place in `localStorage`. */
export const PLACE_KEY = 'place';
/** Milliseconds after which weather is fetched anew: when a tab is shown again, and while it is shown. */
const OLD_MS = 600_000;
const OLD_WHILE_SHOWN_MS = 1_800_000;

interface WeatherOptions {
  store: Store;
  /** The search of the page. It aborts when the user starts another one. */
  searches: Latest;
  /** Receives each city whose weather was found, as the service spells it. */
  onCity: (city: City) => void;
}

export function createWeather({ store, searches, onCity }: WeatherOptions) {
  let attemptedAt = 0;

  /** Loads the weather of a place. That of the same place stays meanwhile, and also if this fails. */
  async function load(query: Query): Promise<void> {
    const signal = searches.start();
    const isSame = JSON.stringify(store.state.query) === JSON.stringify(query);
    const weather = isSame ? store.state.weather : undefined;
    attemptedAt = Date.now();
    store.set({ query, weather, status: '', isLoading: true, problem: undefined });
    try {
      const code = loadPlace().catch(() => {
        throw new Failure(0);
      });
      const [conditions] = await Promise.all([askConditions(query, signal), code]);
      if (signal.aborted) return;
      const now = Date.now();
      const fetchedAt = now - Number(conditions.headers.get('Age')) * 1000;
      const { hours, days } = weather ?? {};
      store.set({ weather: { query, conditions, hours, days, fetchedAt }, isLoading: false, now });
      storeInBrowser(PLACE_KEY, query);
      const { city, country } = conditions.body.location;
      if ('city' in query) onCity({ city, country });
      // Loaded after the conditions, so that an invalid place costs one request.
      void loadPart('hours', askHours, query, signal);
      void loadPart('days', askDays, query, signal);
    } catch (error) {
      if (!signal.aborted) fail(failureOf(error), query);
    }
  }

  function fail(failure: Failure, query: Query): void {
    const problem = {
      text: problemText(failure),
      choices: linkedCities(failure.headers.get('Link') ?? ''),
      ...(failure.status === 400 ? {} : { retry: () => void load(query) }),
    };
    store.set({ problem, isLoading: false });
  }

  /** Loads the hours or the days of the place that is shown. If that fails, the rest stays. */
  async function loadPart<Name extends 'hours' | 'days'>(
    name: Name,
    askPart: (query: Query, signal: AbortSignal) => Promise<NonNullable<Weather[Name]>>,
    query: Query,
    signal: AbortSignal,
  ): Promise<void> {
    const part = await askPart(query, signal).catch(failureOf);
    const { weather } = store.state;
    if (!signal.aborted && weather) store.set({ weather: { ...weather, [name]: part } });
  }

  /** Loads the place that is shown again. */
  function reload(): void {
    if (store.state.query) void load(store.state.query);
  }

  /** Fetches old weather anew, if the page is visible. */
  function refresh(maxAgeMs: number): void {
    const { weather, isLoading } = store.state;
    const isOld = Date.now() - attemptedAt >= maxAgeMs;
    if (weather && isOld && !isLoading && !document.hidden) reload();
  }

  return {
    load,
    reload,
    refreshOnReturn: () => {
      refresh(OLD_MS);
    },
    refreshWhileShown: () => {
      refresh(OLD_WHILE_SHOWN_MS);
    },
    /** Repeats what failed. */
    retry: () => store.state.problem?.retry?.(),
  };
}
