/**
 * The text field with suggestions: an editable combobox with a list, by the ARIA Authoring Practices
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). The focus stays in the field.
 */
import type { Clock } from '../view/clock.js';
import { actionOf } from './combobox-keys.js';
import { element } from '../view/elements.js';
import type { Place, PlaceClient } from './place-client.js';
import { withoutRegion } from './place-search.js';
import { nameOf } from '../service/queries.js';
import { createSuggestions } from './suggestions.js';

/** The index of the active option if no option is active. */
const NONE = -1;

interface ComboboxOptions {
  clock: Clock;
  places: PlaceClient;
  /** Receives the suggestion that the user chose. */
  onChoose: (place: Place) => void;
}

export function createCombobox({ clock, places, onChoose }: ComboboxOptions) {
  const input = element('place') as HTMLInputElement;
  const list = element('suggestions');
  const status = element('status');
  let shown: Place[] = [];
  /** Index of the option that Enter chooses. */
  let active = NONE;
  const suggestions = createSuggestions({ clock, places, show, showStatus });

  function show(found: Place[]): void {
    // The status has the number of suggestions in the list.
    if (!list.hidden) showStatus('');
    shown = found;
    list.replaceChildren(...found.map(optionOf));
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    activate(NONE);
  }

  function showStatus(text: string): void {
    status.textContent = text;
  }

  function close(): void {
    suggestions.abort();
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

  function refresh(): void {
    void suggestions.refresh(input.value.trim());
  }

  function onKey(event: KeyboardEvent): void {
    const action = actionOf(event, { optionCount: shown.length, active });
    const chosen = shown[active];
    if (action.type === 'none') return;
    event.preventDefault();
    if (action.type === 'activate') activate(action.index);
    else if (action.type === 'refresh') refresh();
    else if (action.type === 'choose' && chosen) choose(chosen);
    else {
      if (action.type === 'clear') input.value = '';
      close();
      showStatus('');
    }
  }

  input.addEventListener('input', () => {
    // Enter must not choose a suggestion for an earlier text.
    show([]);
    refresh();
  });
  input.addEventListener('keydown', onKey);
  input.addEventListener('blur', close);
  return { close };
}
