/** The field: suggestions while the user types, and the search for what was typed. */
import { askPlaces, failureOf, type Place } from './api.js';
import { locate } from './browser.js';
import { createLatest, type Latest } from './latest.js';
import { fold, nameOf, pointIn, type City, type Query } from './queries.js';
import type { Problem, Store } from './store.js';
import { positionErrorText, problemText, suggestionsText } from '../messages/texts.js';

/** Milliseconds without typing after which suggestions are requested. Shorter: more requests. */
const DEBOUNCE_MS = 150;

interface SearchOptions {
  store: Store;
  /** The search of the page. It aborts when the user starts another one. */
  searches: Latest;
  /** Shows the weather of a place, and changes the address of the page. */
  go: (query: Query) => void;
}

/** Returns the name without the region that the service adds to ambiguous names: "Springfield, Illinois". */
export function withoutRegion({ city, region }: Place): string {
  return region && city.endsWith(`, ${region}`) ? city.slice(0, -region.length - 2) : city;
}

export function createSearch({ store, searches, go }: SearchOptions) {
  const typing = createLatest();

  function close(status = ''): void {
    typing.abort();
    store.set({ suggestions: [], active: -1, status });
  }

  /** Shows suggestions for the text in the field, after a pause. */
  function suggest(): void {
    const signal = typing.start();
    const text = store.state.text.trim();
    if (text === '' || pointIn(text)) return;
    setTimeout(() => {
      if (!signal.aborted) void ask();
    }, DEBOUNCE_MS);

    async function ask(): Promise<void> {
      try {
        const suggestions = await askPlaces(text, signal);
        if (signal.aborted) return;
        store.set({ suggestions, active: -1, status: suggestionsText(suggestions.length) });
      } catch {
        if (signal.aborted) return;
        close('Suggestions are unavailable at the moment. You can still search.');
      }
    }
  }

  /** Searches for the text in the field. */
  async function submit(): Promise<void> {
    const text = store.state.text.trim();
    const signal = searches.start();
    const point = pointIn(text);
    close(point ? '' : 'Searching for the place …');
    store.set({ movesFocus: true });
    if (point) go(point);
    else if (text === '') show({ text: 'Please type the name of a city.' });
    else {
      try {
        await find(text, signal);
      } catch (error) {
        if (signal.aborted) return;
        show({ text: problemText(failureOf(error)), retry: () => void submit() });
      }
    }
  }

  async function find(text: string, signal: AbortSignal): Promise<void> {
    const places = await askPlaces(text, signal);
    const [place] = places;
    const isMeant = place && (await isNameOf(text, place, signal));
    if (signal.aborted) return;
    if (isMeant) {
      go(place);
      store.set({ status: noteOn(text, place) });
    } else if (text.includes(',') && !place) go(splitAtComma(text));
    else {
      const question = `Which city do you mean by “${text}”?`;
      const unknown = `No city called “${text}” is known. Please add the country: “City, Country”.`;
      show({ text: place ? question : unknown, choices: places });
    }
  }

  /** Shows a message above the place that is shown. */
  function show(problem: Problem): void {
    store.set({ problem, isLoading: false, status: '' });
  }

  return {
    close,
    submit,
    type: (text: string): void => {
      // Enter must not choose a suggestion for an earlier text.
      store.set({ text, suggestions: [], active: -1, status: '' });
      suggest();
    },
    /** @param step 1 or -1 @returns whether there is a list to move in */
    move: (step: number): boolean => {
      const { suggestions, active } = store.state;
      // Between the last and the first option is one stop at which no option is active.
      const stops = suggestions.length + 1;
      if (stops > 1) store.set({ active: ((active + 1 + step + stops) % stops) - 1 });
      else suggest();
      return stops > 1;
    },
    locate: (): void => {
      const signal = searches.start();
      close('Waiting for your location …');
      locate(
        (point) => {
          if (!signal.aborted) go(point);
        },
        (code) => {
          if (!signal.aborted) show({ text: positionErrorText(code) });
        },
      );
    },
  };
}

/**
 * Returns whether a text is a complete name of a place: neither the beginning of a name nor the name of its region or country
 * means the place. The service finds only complete names before a comma.
 */
async function isNameOf(text: string, place: Place, signal: AbortSignal): Promise<boolean> {
  const [name = ''] = text.split(',');
  const [typed, shown] = [fold(name), fold(withoutRegion(place))];
  // After the whole name, there can be only a region or country: "London UK".
  if (typed === shown || typed.startsWith(`${shown} `)) return true;
  const { region, country } = place;
  const city = region ? `${name}, ${region}` : name;
  const places = await askPlaces(nameOf({ city, country }), signal);
  return places.some((each) => nameOf(each) === nameOf(place));
}

/** Returns a note if a place is not shown under the name that was typed: “München” is Munich. */
function noteOn(text: string, place: Place): string {
  const [name = ''] = text.split(',');
  const shown = withoutRegion(place);
  const isShown = `${fold(name)} `.startsWith(`${fold(shown)} `);
  return isShown ? '' : `“${name.trim()}” is another name of ${shown}.`;
}

/** Splits a text that the list of places does not have. The service then asks its geocoder. */
function splitAtComma(text: string): City {
  const at = text.lastIndexOf(',');
  return { city: text.slice(0, at).trim(), country: text.slice(at + 1).trim() };
}
