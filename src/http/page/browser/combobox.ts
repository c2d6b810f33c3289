/**
 * The text field with suggestions: an editable combobox with a list, by the ARIA Authoring Practices
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). The focus stays in the field.
 */
import { element } from './elements.js';
import { nameOf, suggest, withoutRegion, type Place } from './place-search.js';

/** Milliseconds without typing after which suggestions are requested. Shorter: more requests. */
const DEBOUNCE_MS = 150;

/** @param onChoose receives the suggestion that the user chose */
export function createCombobox(onChoose: (place: Place) => void) {
  const input = element('place') as HTMLInputElement;
  const list = element('suggestions');
  const status = element('status');
  let places: Place[] = [];
  /** Index of the option that Enter chooses; -1: none. */
  let active = -1;
  let request = new AbortController();

  function show(found: Place[]): void {
    places = found;
    list.replaceChildren(...found.map(optionOf));
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    activate(-1);
  }

  function close(): void {
    request.abort();
    show([]);
  }

  function activate(index: number): void {
    active = index;
    for (const [i, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(i === index));
      if (i === index) option.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `suggestion-${index}`);
  }

  function choose(place: Place): void {
    input.value = nameOf(place);
    status.textContent = '';
    close();
    onChoose(place);
  }

  function optionOf(place: Place, index: number): HTMLElement {
    const option = document.createElement('li');
    option.id = `suggestion-${index}`;
    option.setAttribute('role', 'option');
    const where = document.createElement('span');
    where.textContent = [place.region, place.country].filter(Boolean).join(', ');
    option.append(`${withoutRegion(place)} `, where);
    // By default, the field loses the focus before the click, which closes the list.
    option.addEventListener('pointerdown', (event) => {
      event.preventDefault();
    });
    option.addEventListener('click', () => {
      choose(place);
    });
    return option;
  }

  async function refresh(): Promise<void> {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const text = input.value.trim();
    if (text === '') {
      close();
      status.textContent = '';
      return;
    }
    try {
      await new Promise((resolve) => setTimeout(resolve, DEBOUNCE_MS));
      signal.throwIfAborted();
      const found = await suggest(text, signal);
      if (signal.aborted) return;
      show(found);
      status.textContent = countText(found.length);
    } catch {
      if (signal.aborted) return;
      show([]);
      status.textContent = 'Suggestions are unavailable at the moment. You can still search.';
    }
  }

  function onKey(event: KeyboardEvent): void {
    // The input method handles the keys while it composes a character.
    if (event.isComposing) return;
    const { key } = event;
    const chosen = places[active];
    if (key === 'Escape') {
      if (list.hidden) input.value = '';
      close();
      status.textContent = '';
    } else if (key === 'Enter' && chosen) {
      choose(chosen);
    } else if ((key === 'ArrowDown' || key === 'ArrowUp') && places.length > 0) {
      // Between the last and the first option is one stop at which no option is active.
      const stops = places.length + 1;
      const step = key === 'ArrowDown' ? 1 : stops - 1;
      activate(((active + 1 + step) % stops) - 1);
    } else if (key === 'ArrowDown') {
      void refresh();
    } else {
      return;
    }
    event.preventDefault();
  }

  input.addEventListener('input', () => {
    // Enter must not choose a suggestion for an earlier text.
    show([]);
    void refresh();
  });
  input.addEventListener('keydown', onKey);
  input.addEventListener('blur', close);
  return { close };
}

function countText(count: number): string {
  if (count === 0) return 'No suggestions. You can still search.';
  return count === 1 ? '1 suggestion.' : `${count} suggestions.`;
}
