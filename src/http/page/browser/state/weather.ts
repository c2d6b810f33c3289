/** Loads the weather of a place: first its conditions, then the next hours and days. */
import { loadPlace } from '../lazy-place.js';
import { askWeather, createLatest, Failure, type Conditions } from './api.js';
import { problemOf } from './problem.js';
import { searchOf, type Query } from './queries.js';
import { addRecent, setLastPlace } from './recent.js';
import { current, set } from './store.js';

/** Milliseconds after which the weather of a visible page is fetched anew. Shorter: more requests. */
const OLD_MS = 900_000;

/** Returns the signal of the next search. It aborts when the user starts another one. */
export const nextSearch = createLatest();
let attemptedAt = 0;

/** Loads the weather of a place. What is already shown of this place remains until then, also if the request fails. */
export async function load(query: Query): Promise<void> {
  const signal = nextSearch();
  const search = searchOf(query);
  const { query: shown, weather: before } = current();
  const weather = shown && searchOf(shown) === search ? before : undefined;
  attemptedAt = Date.now();
  set({ query, weather, status: '', isLoading: true, problem: undefined });
  try {
    const code = loadPlace().catch(() => Promise.reject(new Failure(0)));
    const [conditions] = await Promise.all([
      askWeather<Conditions>('conditions', query, signal),
      code,
    ]);
    if (signal.aborted) return;
    const now = Date.now();
    const fetchedAt = now - Number(conditions.headers.get('Age')) * 1000;
    const { hours, days } = weather ?? {};
    set({ weather: { conditions, hours, days, fetchedAt }, isLoading: false, now });
    setLastPlace(search);
    const { city, country } = conditions.body.location;
    if ('city' in query) addRecent({ city, country });
    // Loaded after the conditions, so that an invalid place costs one request.
    void loadPart('hours', askWeather('forecast/hourly', query, signal, '&hours=168'), signal);
    void loadPart('days', askWeather('forecast', query, signal, '&days=14'), signal);
  } catch (error) {
    if (!signal.aborted) set({ problem: problemOf(error, reload), isLoading: false });
  }
}

/** Loads the hours or the days of the place that is shown. If that fails, the rest stays. */
async function loadPart(
  name: 'hours' | 'days',
  response: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const part = await response.catch(() => null);
  const { weather } = current();
  if (!signal.aborted && weather) set({ weather: { ...weather, [name]: part } });
}

/** Loads the place that is shown again. */
export function reload(): void {
  const { query } = current();
  if (query) void load(query);
}

/** Fetches old weather anew, if the page is visible. */
export function refresh(): void {
  const { weather, isLoading } = current();
  const isOld = Date.now() - attemptedAt >= OLD_MS;
  if (weather && isOld && !isLoading && !document.hidden) reload();
}
