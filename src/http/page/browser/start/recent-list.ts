/** The list of the recent searches of the session. It is the same in all tabs. */
import { ask } from '../service/api-client.js';
import { element, showLinks } from '../view/elements.js';
import { createLatestRequest } from '../service/latest-request.js';
import type { City } from '../service/questions.js';

const PATH = 'api/v1/recent-searches';

export function createRecentList(linkTo: (city: City) => HTMLElement) {
  // Requests are limited, so only the tab that changes the list requests it, and sends it to the others.
  const tabs = new BroadcastChannel('recent-searches');
  // An earlier change never replaces a later one.
  const requests = createLatestRequest();

  function show(searches: City[]): void {
    element('recent').hidden = searches.length === 0;
    showLinks(element('recent-list'), searches.map(linkTo));
  }

  function showInAllTabs(searches: City[]): void {
    show(searches);
    tabs.postMessage(searches);
  }

  /** Loads the list. If that fails, the list stays as it is. */
  async function refresh(): Promise<void> {
    try {
      const { body } = await ask(PATH, requests.start());
      showInAllTabs((body as { recent_searches: City[] }).recent_searches);
    } catch {
      // The weather matters more than this list, so the failure is not shown.
    }
  }

  async function clear(): Promise<void> {
    const status = element('status');
    const signal = requests.start();
    try {
      // A change of the list meanwhile does not abort this: the user learns whether the list was cleared.
      await ask(PATH, new AbortController().signal, 'DELETE');
      showInAllTabs([]);
      if (signal.aborted) void refresh();
      // The button that had the focus is now hidden.
      element('place').focus();
      status.textContent = 'The recent searches are cleared.';
    } catch {
      status.textContent = 'The recent searches cannot be cleared at the moment.';
    }
  }

  tabs.addEventListener('message', ({ data }) => {
    requests.abort();
    show(data as City[]);
  });
  element('clear').addEventListener('click', () => void clear());

  return { refresh };
}
