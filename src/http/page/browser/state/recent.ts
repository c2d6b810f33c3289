/** The last place and the recent searches. The browser stores both, so the page shows them before the service responds. */
import { fetchJson, createLatest, type RecentSearchesBody } from './api.js';
import { readFromBrowser, storeInBrowser } from './browser.js';
import { getState, setState } from './page-state.js';
import { foldName, nameOf, type City } from './queries.js';

/** Keys in `localStorage`. */
const RECENT_KEY = 'recent';
const PLACE_KEY = 'place';
const PATH = 'api/v1/recent-searches';
/** The service stores this number of searches. */
const MAX_SEARCHES = 10;

const nextRequest = createLatest();

function setRecent(recent: City[]): void {
  setState({ recent });
  storeInBrowser(RECENT_KEY, recent);
}

const isCity = (each: City | null): each is City => typeof each?.city === 'string';

const keyOf = (city: City) => foldName(nameOf(city));

/** Joins two lists of searches without duplicates. Of two spellings, that of the first list stays. */
function merge(newer: City[], older: City[]): City[] {
  const newerKeys = new Set(newer.map(keyOf));
  return [...newer, ...older.filter((city) => !newerKeys.has(keyOf(city)))].slice(0, MAX_SEARCHES);
}

export function addRecent(city: City): void {
  setRecent(merge([city], getState().recent));
}

/** Shows the list that the browser has stored until the list of the session arrives, or if that fails. */
export async function readRecent(): Promise<void> {
  const list = readFromBrowser(RECENT_KEY);
  const before = Array.isArray(list) ? (list as (City | null)[]).filter(isCity) : [];
  setState({ recent: before });
  const response = await fetchJson<RecentSearchesBody>(PATH, nextRequest()).catch(() => undefined);
  const added = getState().recent.filter((city) => !before.includes(city));
  if (response) setRecent(merge(added, response.body.recent_searches));
}

export async function clearRecent(): Promise<void> {
  try {
    await fetchJson(PATH, nextRequest(), 'DELETE');
    setRecent([]);
    setLastPlace('');
    setState({ status: 'The recent searches are cleared.' });
  } catch {
    setState({ status: 'The recent searches cannot be cleared at the moment.' });
  }
}

/** Returns the query string of the last place. */
export const lastPlace = () => readFromBrowser(PLACE_KEY);

/** @param search a query string; empty for no place */
export const setLastPlace = (search: string) => {
  storeInBrowser(PLACE_KEY, search);
};
