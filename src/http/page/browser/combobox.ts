/**
 * The text field with suggestions: the editable combobox with a list of the ARIA Authoring Practices
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). The focus stays in the field.
 */
import { element } from './elements.js';
import { nameOf, ownNameOf, suggest, type Place } from './places.js';

/** Pause in typing after which suggestions are asked for. */
const PAUSE_MS = 150;

/** @param choose is told of the suggestion that was taken */
export function createCombobox(choose: (place: Place) => void) {
  const input = element('place') as HTMLInputElement;
  const list = element('suggestions');
  const status = element('status');
  let places: Place[] = [];
  /** Index of the option that Enter takes; -1: none. */
  let active = -1;
  let asking = new AbortController();

  function show(found: Place[]): void {
    places = found;
    list.replaceChildren(...found.map(optionOf));
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    activate(-1);
  }

  function close(): void {
    asking.abort();
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

  function take(place: Place): void {
    input.value = nameOf(place);
    status.textContent = '';
    close();
    choose(place);
  }

  function optionOf(place: Place, index: number): HTMLElement {
    const option = document.createElement('li');
    option.id = `suggestion-${index}`;
    option.setAttribute('role', 'option');
    const where = document.createElement('span');
    where.textContent = [place.region, place.country].filter(Boolean).join(', ');
    option.append(`${ownNameOf(place)} `, where);
    // Else the field would lose the focus first, and close the list.
    option.addEventListener('pointerdown', (event) => {
      event.preventDefault();
    });
    option.addEventListener('click', () => {
      take(place);
    });
    return option;
  }

  async function refresh(): Promise<void> {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const text = input.value.trim();
    if (text === '') {
      close();
      status.textContent = '';
      return;
    }
    try {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      const found = await suggest(text, signal);
      if (signal.aborted) return;
      show(found);
      const count = found.length === 1 ? '1 suggestion.' : `${found.length} suggestions.`;
      status.textContent =
        found.length > 0 ? count : 'No suggestions. You can search all the same.';
    } catch {
      if (signal.aborted) return;
      show([]);
      status.textContent = 'There are no suggestions at the moment. You can search all the same.';
    }
  }

  function press(event: KeyboardEvent): void {
    // Keys belong to the input method while it composes a character.
    if (event.isComposing) return;
    const { key } = event;
    const chosen = places[active];
    if (key === 'Escape') {
      if (list.hidden) input.value = '';
      close();
      status.textContent = '';
    } else if (key === 'Enter' && chosen) {
      take(chosen);
    } else if ((key === 'ArrowDown' || key === 'ArrowUp') && places.length > 0) {
      // Between the last and the first it is nobody's turn.
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
    // Enter must not take what was suggested for an earlier text.
    show([]);
    void refresh();
  });
  input.addEventListener('keydown', press);
  input.addEventListener('blur', close);
  return { close };
}
