/** The last place and the recent searches. The browser stores both, so the page shows them before the service responds. */
import { ask, createLatest, type RecentSearches } from './api.js';
import { stored, storeInBrowser } from './browser.js';
import { fold, nameOf, type City } from './queries.js';
import { current, set } from './store.js';

/** Keys in `localStorage`. */
const RECENT_KEY = 'recent';
const PLACE_KEY = 'place';
const PATH = 'api/v1/recent-searches';
/** The service stores this number of searches. */
const MAX_SEARCHES = 10;

const nextRequest = createLatest();

function setRecent(recent: City[]): void {
  set({ recent });
  storeInBrowser(RECENT_KEY, recent);
}

const isCity = (each: City | null): each is City => typeof each?.city === 'string';

const keyOf = (city: City) => fold(nameOf(city));

/** Joins two lists of searches without duplicates. Of two spellings, that of the first list stays. */
function merge(newer: City[], older: City[]): City[] {
  const known = new Set(newer.map(keyOf));
  return [...newer, ...older.filter((city) => !known.has(keyOf(city)))].slice(0, MAX_SEARCHES);
}

export function addRecent(city: City): void {
  setRecent(merge([city], current().recent));
}

/** Shows the list that the browser has stored until the list of the session arrives, or if that fails. */
export async function readRecent(): Promise<void> {
  const list = stored(RECENT_KEY);
  const before = Array.isArray(list) ? (list as (City | null)[]).filter(isCity) : [];
  set({ recent: before });
  const response = await ask<RecentSearches>(PATH, nextRequest()).catch(() => undefined);
  const added = current().recent.filter((city) => !before.includes(city));
  if (response) setRecent(merge(added, response.body.recent_searches));
}

export async function clearRecent(): Promise<void> {
  try {
    await ask(PATH, nextRequest(), 'DELETE');
    setRecent([]);
    setLastPlace('');
    set({ status: 'The recent searches are cleared.' });
  } catch {
    set({ status: 'The recent searches cannot be cleared at the moment.' });
  }
}

/** Returns the query string of the last place. */
export const lastPlace = () => stored(PLACE_KEY);

/** @param search a query string; empty for no place */
export const setLastPlace = (search: string) => {
  storeInBrowser(PLACE_KEY, search);
};
