/** Loads the weather of a place: first its conditions, then the next hours and days. */
import { loadPlace } from '../lazy-place.js';
import { fetchWeather, createLatest, RequestFailure, type ConditionsBody } from './api.js';
import { getState, setState } from './page-state.js';
import { problemOf } from './problem.js';
import { queryStringOf, type Query } from './queries.js';
import { addRecent, setLastPlace } from './recent.js';

/** Milliseconds after which the weather of a visible page is fetched anew. Shorter: more requests. */
const OLD_MS = 900_000;

/** Returns the signal of the next search. It aborts when the user starts another one. */
export const nextSearch = createLatest();
let attemptedAt = 0;

/** Loads the weather of a place. What is already shown of this place remains until then, also if the request fails. */
export async function loadWeather(query: Query): Promise<void> {
  const signal = nextSearch();
  const search = queryStringOf(query);
  const { query: shown, weather: before } = getState();
  const weather = shown && queryStringOf(shown) === search ? before : undefined;
  attemptedAt = Date.now();
  setState({ query, weather, status: '', isLoading: true, problem: undefined });
  try {
    const code = loadPlace().catch(() => Promise.reject(new RequestFailure(0)));
    const [conditions] = await Promise.all([
      fetchWeather<ConditionsBody>('conditions', query, signal),
      code,
    ]);
    if (signal.aborted) return;
    const now = Date.now();
    const fetchedAt = now - Number(conditions.headers.get('Age')) * 1000;
    const { hours, days } = weather ?? {};
    setState({ weather: { conditions, hours, days, fetchedAt }, isLoading: false, now });
    setLastPlace(search);
    const { city, country } = conditions.body.location;
    if ('city' in query) addRecent({ city, country });
    // Loaded after the conditions, so that an invalid place costs one request.
    void loadPart('hours', fetchWeather('forecast/hourly', query, signal, '&hours=168'), signal);
    void loadPart('days', fetchWeather('forecast', query, signal, '&days=14'), signal);
  } catch (error) {
    if (!signal.aborted) setState({ problem: problemOf(error, reloadWeather), isLoading: false });
  }
}

/** Loads the hours or the days of the place that is shown. If that fails, the rest stays. */
async function loadPart(
  name: 'hours' | 'days',
  response: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const part = await response.catch(() => null);
  const { weather } = getState();
  if (!signal.aborted && weather) setState({ weather: { ...weather, [name]: part } });
}

/** Loads the place that is shown again. */
export function reloadWeather(): void {
  const { query } = getState();
  if (query) void loadWeather(query);
}

/** Fetches old weather anew, if the page is visible. */
export function refreshIfOld(): void {
  const { weather, isLoading } = getState();
  const isOld = Date.now() - attemptedAt >= OLD_MS;
  if (weather && isOld && !isLoading && !document.hidden) reloadWeather();
}
