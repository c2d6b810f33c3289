/** A section below the present weather: its content is loading, shown, or replaced by a message. */
import { isStale } from '../service/api-client.js';
import { createLatestRequest } from '../service/latest-request.js';
import { element } from '../view/elements.js';
import { showAttribution } from './attribution.js';

/** @param id prefix of the IDs of its elements @param clear removes the content */
export function createSection(id: 'hours' | 'days', clear: () => void) {
  const section = element(id);
  const message = element(`${id}-message`);
  const source = element(`${id}-source`);
  const requests = createLatestRequest();

  function reset(text: string): void {
    clear();
    section.removeAttribute('aria-busy');
    message.textContent = text;
    element(`${id}-stale`).hidden = true;
    source.replaceChildren();
  }

  return {
    /** Shows that the content is loading. The signal aborts when another place is shown, or none. */
    begin(): AbortSignal {
      reset('');
      section.hidden = false;
      section.setAttribute('aria-busy', 'true');
      return requests.start();
    },
    /** Shows how old the content is and where it is from. The caller shows the content. */
    show(headers: Headers): void {
      reset('');
      element(`${id}-stale`).hidden = !isStale(headers);
      showAttribution(`${id}-source`, headers);
      // Usually all data has the same source: then one credit is enough.
      source.hidden = source.textContent === element('source').textContent;
    },
    /** Shows a message instead of the content. */
    showError: reset,
    hide(): void {
      requests.abort();
      reset('');
      section.hidden = true;
    },
  };
}
