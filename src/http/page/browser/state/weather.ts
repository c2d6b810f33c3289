/** Loads the weather of a place: first the conditions, then the next hours, days, and the air. */
import { fetchWeather, createLatest, type ConditionsBody } from './api.js';
import { getState, setState } from './page-state.js';
import { problemOf } from './problem.js';
import { queryStringOf, type Query } from './queries.js';
import { addSearch, lastClearing } from './recent.js';

/** Milliseconds after which a visible page fetches its weather anew. Shorter: more requests. */
const OLD_MS = 900_000;

/** A week of hours, or two days for a user who wants to save data. */
const HOURS = matchMedia('(prefers-reduced-data: reduce)').matches ? '&hours=48' : '&hours=168';

/** The resolution of the European model of the air. */
const EUROPEAN_KM = 11;

/** What follows the conditions: the endpoint of each part, and the number of its values. */
const PARTS = {
  hours: ['forecast/hourly', HOURS],
  days: ['forecast', '&days=14'],
  air: ['air-quality', ''],
  pollen: ['pollen', ''],
} as const;

/** Returns the signal of the next search. It aborts when the user starts another one. */
export const nextSearch = createLatest();
let attemptedAt = 0;

/**
 * Loads the weather of a place. What the page already shows of the place stays until then, also if
 * the request fails.
 *
 * @param isSearch whether the user searched. If not, the session does not record a search
 */
export async function loadWeather(query: Query, isSearch = true): Promise<void> {
  const signal = nextSearch();
  const search = queryStringOf(query);
  const { query: shown, weather: before } = getState();
  const weather = shown && queryStringOf(shown) === search ? before : undefined;
  const clearing = lastClearing();
  attemptedAt = Date.now();
  const firstHour = weather ? getState().firstHour : 0;
  setState({ query, weather, firstHour, status: '', isLoading: true, problem: undefined });
  try {
    const options: RequestInit = isSearch ? {} : { credentials: 'omit' };
    const path = 'conditions';
    const conditions = await fetchWeather<ConditionsBody>(path, query, signal, '', options);
    if (signal.aborted) return;
    setState({ weather: { ...weather, conditions }, isLoading: false, now: Date.now() });
    const { city, country } = conditions.body.location;
    if (isSearch) addSearch(search, 'city' in query ? { city, country } : undefined, clearing);
    // Loaded after the conditions, so that an invalid place costs one request.
    void loadPart('hours', query, signal);
    void loadPart('days', query, signal);
    void loadPart('air', query, signal);
  } catch (error) {
    const retry = (): void => void loadWeather(query, isSearch);
    if (!signal.aborted) setState({ problem: problemOf(error, retry), isLoading: false });
  }
}

/** Loads a part of the place that is shown. If that fails, what is shown stays. */
async function loadPart(name: keyof typeof PARTS, query: Query, signal: AbortSignal) {
  const [endpoint, count] = PARTS[name];
  const part = await fetchWeather(endpoint, query, signal, count).catch(() => null);
  const { weather } = getState();
  if (!signal.aborted && weather) {
    setState({ weather: { ...weather, [name]: part ?? weather[name] ?? null } });
    // Only the European model has pollen.
    const { resolution_km: km } = getState().weather?.air?.body ?? {};
    if (name === 'air' && km === EUROPEAN_KM) void loadPart('pollen', query, signal);
  }
}

/** Loads the place that is shown again. */
export function reloadWeather(): void {
  const { query } = getState();
  if (query) void loadWeather(query, false);
}

/** Fetches old weather anew, if the page is visible. */
export function refreshIfOld(): void {
  const { weather, isLoading } = getState();
  const isOld = Date.now() - attemptedAt >= OLD_MS;
  if (weather && isOld && !isLoading && !document.hidden) reloadWeather();
}
