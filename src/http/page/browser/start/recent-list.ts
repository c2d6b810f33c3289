/** Shows the recent searches of the session. They are the same in all tabs. */
import { ask } from '../service/api-client.js';
import type { City } from '../service/queries.js';
import { element, showLinks } from '../view/elements.js';
import { mergeSearches } from './recent-searches.js';

const PATH = 'api/v1/recent-searches';

export function createRecentList(linkTo: (city: City) => HTMLElement) {
  // Requests are limited: the page reads the list once, and then follows what it and other tabs do.
  const tabs = new BroadcastChannel('recent-searches');
  let searches: City[] = [];
  /** Aborts the reading of the list when another tab has sent it, or the user has cleared it. */
  const reading = new AbortController();

  function show(list: City[]): void {
    searches = list;
    element('recent').hidden = list.length === 0;
    showLinks(
      element('recent-list'),
      list.map((city) => linkTo(city)),
    );
  }

  function showInAllTabs(list: City[]): void {
    show(list);
    tabs.postMessage(list);
  }

  /** Loads the list. If that fails, the list has only the searches of this page. */
  async function read(): Promise<void> {
    try {
      const { body } = await ask(PATH, reading.signal);
      const { recent_searches: stored } = body as { recent_searches: City[] };
      if (!reading.signal.aborted) show(mergeSearches(searches, stored));
    } catch {
      // The weather matters more than this list, so the failure is not shown.
    }
  }

  async function clear(): Promise<void> {
    const status = element('status');
    const cleared = searches;
    try {
      await ask(PATH, new AbortController().signal, 'DELETE');
      reading.abort();
      // A search that ended meanwhile stays.
      showInAllTabs(searches.filter((search) => !cleared.includes(search)));
      // The button that had the focus may be hidden now.
      element('place').focus();
      status.textContent = 'The recent searches are cleared.';
    } catch {
      status.textContent = 'The recent searches cannot be cleared at the moment.';
    }
  }

  tabs.addEventListener('message', ({ data }) => {
    reading.abort();
    show(data as City[]);
  });
  element('clear').addEventListener('click', () => void clear());

  /** Puts a search that has just succeeded first. */
  function add(search: City): void {
    showInAllTabs(mergeSearches([search], searches));
  }

  return { read, add };
}
