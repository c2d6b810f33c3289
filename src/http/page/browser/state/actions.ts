/** What the user can do. The components call these functions. */
import { askRecent, clearRecent } from './api.js';
import { store as storeInBrowser, stored } from './browser.js';
import { createLatest } from './latest.js';
import { mergeSearches, nameOf, queryIn, searchOf, type City, type Query } from './queries.js';
import { createSearch } from './search.js';
import type { Store } from './store.js';
import { createWeather, PLACE_KEY } from './weather.js';
import type { System } from '../place/formats.js';

/** Keys in `localStorage`. */
export const UNITS_KEY = 'units';
const RECENT_KEY = 'recent';
/** The address of the start, also for those who have searched before. */
export const START = '?start';

export type Actions = ReturnType<typeof createActions>;

export function createActions(store: Store) {
  const searches = createLatest();
  const weather = createWeather({ store, searches, onCity: addRecent });
  const search = createSearch({ store, searches, go });
  /** Aborts the reading of the recent searches when they are cleared. */
  const reading = createLatest();

  /** Shows the weather of a place, and changes the address of the page. */
  function go(query: Query): void {
    const address = searchOf(query);
    if (address !== location.search) history.pushState(undefined, '', address);
    showAddress();
    store.set({ movesFocus: true });
  }

  /** Shows what the address of the page asks for, so that links, reloads, and the back button work. */
  function showAddress(): void {
    const query = queryIn(location.search);
    search.close();
    store.set({ movesFocus: false, text: query ? nameOf(query) : '' });
    if (query) void weather.load(query);
    else {
      searches.abort();
      store.set({ query, weather: undefined, problem: undefined, isLoading: false });
    }
  }

  /** Shows what the address asks for. Without a query, it is the last place, unless the user wants the start. */
  function open(): void {
    const last = stored(PLACE_KEY);
    const isNamed = typeof last === 'object' && last && ('lat' in last || 'city' in last);
    if (isNamed && location.search === '') {
      history.replaceState(undefined, '', searchOf(last as Query));
    }
    showAddress();
    void readRecent();
  }

  function setRecent(recent: City[]): void {
    store.set({ recent });
    storeInBrowser(RECENT_KEY, recent);
  }

  function addRecent(city: City): void {
    setRecent(mergeSearches([city], store.state.recent));
  }

  /** Reads the list of the session. If that fails, the list stays as the browser has it. */
  async function readRecent(): Promise<void> {
    const signal = reading.start();
    const before = store.state.recent;
    const list = await askRecent(signal).catch(() => undefined);
    if (!list || signal.aborted) return;
    const added = store.state.recent.filter((city) => !before.includes(city));
    setRecent(mergeSearches(added, list));
  }

  async function clear(): Promise<void> {
    try {
      await clearRecent(reading.start());
      setRecent([]);
      storeInBrowser(PLACE_KEY, undefined);
      store.set({ status: 'The recent searches are cleared.' });
    } catch {
      store.set({ status: 'The recent searches cannot be cleared at the moment.' });
    }
  }

  return {
    ...search,
    ...weather,
    go,
    open,
    showAddress,
    clear,
    start: (): void => {
      history.pushState(undefined, '', START);
      showAddress();
    },
    setSystem: (system: System): void => {
      store.set({ system });
      storeInBrowser(UNITS_KEY, system);
    },
    tick: (): void => {
      store.set({ now: Date.now() });
      weather.refreshWhileShown();
    },
  };
}

/** Returns the recent searches that the browser has stored. */
export function storedSearches(): City[] {
  const list = stored(RECENT_KEY);
  return Array.isArray(list) ? (list as City[]).filter(({ city, country }) => city && country) : [];
}
