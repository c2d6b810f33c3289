/** Requests suggestions while the user types. */
import type { Clock } from '../view/clock.js';
import { createLatestRequest } from '../service/latest-request.js';
import type { Place, PlaceClient } from './place-client.js';
import { suggest } from './place-search.js';
import { pointIn } from './typed-point.js';
import { suggestionsText } from '../messages/status-texts.js';

/** Milliseconds without typing after which suggestions are requested. Shorter: more requests. */
const DEBOUNCE_MS = 150;

export interface SuggestionsOptions {
  clock: Clock;
  places: PlaceClient;
  show: (places: Place[]) => void;
  showStatus: (text: string) => void;
}

export function createSuggestions({ clock, places, show, showStatus }: SuggestionsOptions) {
  const requests = createLatestRequest();
  return {
    abort: requests.abort,
    /** Requests suggestions for a text while the list is empty. A later call aborts an earlier one. */
    async refresh(text: string): Promise<void> {
      const signal = requests.start();
      if (text === '' || pointIn(text)) {
        showStatus('');
        return;
      }
      try {
        await clock.sleep(DEBOUNCE_MS);
        const found = await suggest(places, text, signal);
        if (signal.aborted) return;
        show(found);
        showStatus(suggestionsText(found.length));
      } catch {
        if (signal.aborted) return;
        showStatus('Suggestions are unavailable at the moment. You can still search.');
      }
    },
  };
}
