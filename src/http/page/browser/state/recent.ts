/** The last place and recent searches. The browser stores them, to show them before a response. */
import { fetchJson, createLatest, type RecentSearchesBody } from './api.js';
import { readFromBrowser, storeInBrowser } from './browser.js';
import { t } from './language.js';
import { getState, setState } from './page-state.js';
import { foldName, nameOf, type City } from './queries.js';

/** Keys in `localStorage`. */
const RECENT_KEY = 'recent';
const PLACE_KEY = 'place';
/** A number that each clearing of the searches changes, in every tab. */
const CLEARED_KEY = 'cleared';
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

/** Joins two lists of searches without duplicates. The spelling of the first list stays. */
function merge(newer: City[], older: City[]): City[] {
  const newerKeys = new Set(newer.map(keyOf));
  return [...newer, ...older.filter((city) => !newerKeys.has(keyOf(city)))].slice(0, MAX_SEARCHES);
}

/** Returns the list of all tabs, or the list of this tab if the browser forbids storage. */
function sharedList(): City[] {
  const list = readFromBrowser(RECENT_KEY);
  if (!Array.isArray(list)) return getState().recent;
  // Other releases may store more members.
  return (list as (City | null)[]).filter(isCity).map(({ city, country }) => ({ city, country }));
}

/** The number of the last clearing, if the browser forbids storage. */
let clearing = 0;
/** Returns the number of the last clearing. If it changes, earlier requests are outdated. */
export const lastClearing = () => readFromBrowser(CLEARED_KEY) ?? clearing;

/** Adds a search, and makes it the last place. @param before the last clearing at the search */
export function addSearch(search: string, city: City | undefined, before: unknown): void {
  if (lastClearing() !== before) return;
  storeInBrowser(PLACE_KEY, search);
  if (city) setRecent(merge([city], sharedList()));
}

/** Shows the list that the browser has stored. Other tabs may have changed it. */
export function showStoredRecent(): void {
  setState({ recent: sharedList() });
}

/** Shows the stored list until the list of the session arrives, or if that fails. */
export async function readRecent(): Promise<void> {
  showStoredRecent();
  const clearingBefore = lastClearing();
  const before = getState().recent.map(keyOf);
  const response = await fetchJson<RecentSearchesBody>(PATH, nextRequest()).catch(() => undefined);
  if (!response || lastClearing() !== clearingBefore) return;
  const added = sharedList().filter((city) => !before.includes(keyOf(city)));
  setRecent(merge(added, response.body.recent_searches));
}

export async function clearRecent(): Promise<void> {
  try {
    await fetchJson(PATH, nextRequest(), { method: 'DELETE' });
    clearing = Date.now() + Math.random();
    storeInBrowser(CLEARED_KEY, clearing);
    storeInBrowser(PLACE_KEY, '');
    setRecent([]);
    setState({ status: t.cleared });
  } catch {
    setState({ status: t.notCleared });
  }
}

/** Returns the query string of the last place. */
export const lastPlace = () => readFromBrowser(PLACE_KEY);
