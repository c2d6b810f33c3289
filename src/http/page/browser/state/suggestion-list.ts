/** Suggestions while the user types. */
import { positionIn } from '../../../../text/position.js';
import { createLatest, fetchPlaces } from './api.js';
import { t } from './language.js';
import { getState, setState } from './page-state.js';

/** Milliseconds without typing after which suggestions are requested. Shorter: more requests. */
const DEBOUNCE_MS = 150;

const nextTyping = createLatest();

export function closeSuggestions(status = ''): void {
  nextTyping();
  setState({ suggestions: [], active: -1, status });
}

/** Changes the text in the field. Enter must not choose a suggestion for an earlier text. */
export function changeText(text: string): void {
  setState({ text });
  closeSuggestions();
  suggest();
}

/** Moves to another option. @param step 1 or -1 @returns whether there is a list to move in */
export function moveActive(step: number): boolean {
  const { suggestions, active } = getState();
  // Between the last and the first option is one stop at which no option is active.
  const stops = suggestions.length + 1;
  if (stops > 1) setState({ active: ((active + 1 + step + stops) % stops) - 1 });
  else suggest();
  return stops > 1;
}

function suggest(): void {
  const signal = nextTyping();
  const text = getState().text.trim();
  if (text === '' || positionIn(text)) return;
  setTimeout(() => {
    if (!signal.aborted) void showSuggestions(text, signal);
  }, DEBOUNCE_MS);
}

async function showSuggestions(text: string, signal: AbortSignal): Promise<void> {
  const suggestions = await fetchPlaces(text, signal).catch(() => []);
  const { length } = suggestions;
  const status = length > 0 ? `${t.suggestions}: ${length}` : t.noSuggestions;
  if (!signal.aborted) setState({ suggestions, active: -1, status });
}
