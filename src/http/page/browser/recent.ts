/** The recent searches of this session, the same in all its tabs. */
import { ask, type City } from './api.js';
import { element, showLinks } from './elements.js';

const PATH = 'api/v1/recent-searches';

export function createRecent(linkTo: (city: City) => HTMLElement) {
  // Only the tab that changes the list asks for it: requests are limited.
  const tabs = new BroadcastChannel('recent-searches');
  let asking = new AbortController();

  function show(searches: City[]): void {
    element('recent').hidden = searches.length === 0;
    showLinks(element('recent-list'), searches.map(linkTo));
  }

  /** Later changes win over earlier ones, whichever is answered first. */
  function begin(): AbortSignal {
    asking.abort();
    asking = new AbortController();
    return asking.signal;
  }

  function changed(searches: City[]): void {
    show(searches);
    tabs.postMessage(searches);
  }

  async function clear(): Promise<void> {
    const status = element('status');
    try {
      await ask(PATH, begin(), 'DELETE');
      changed([]);
      // The button is gone, and the focus with it.
      element('place').focus();
      status.textContent = 'The recent searches are cleared.';
    } catch {
      status.textContent = 'The recent searches cannot be cleared at the moment.';
    }
  }

  tabs.addEventListener('message', ({ data }) => {
    begin();
    show(data as City[]);
  });
  element('clear').addEventListener('click', () => void clear());

  return {
    async refresh(): Promise<void> {
      try {
        const { body } = await ask(PATH, begin());
        changed((body as { recent_searches: City[] }).recent_searches);
      } catch {
        // The list stays as it is: it is an extra, and the weather is there.
      }
    },
  };
}
