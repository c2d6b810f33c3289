/** The form with the units. The browser stores the choice. */
import { element } from './elements.js';
import { unitsOf, type Choice, type Units } from './units.js';

/** The key of the choice in `localStorage`. */
const STORAGE_KEY = 'units';

export interface UnitForm {
  /** Returns the units that are chosen now. */
  units: () => Units;
  /** Calls the listener after each change of the units. */
  onChange: (listener: () => void) => void;
}

/** Restores the last choice, and stores each later one. */
export function createUnitForm(): UnitForm {
  const form = element('units') as HTMLFormElement;
  const choice = () => Object.fromEntries(new FormData(form)) as unknown as Choice;
  restore(form);
  form.addEventListener('change', () => {
    store(choice());
  });
  return {
    units: () => unitsOf(choice()),
    onChange(listener) {
      form.addEventListener('change', listener);
    },
  };
}

function store(choice: Choice): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(choice));
  } catch {
    // The browser can forbid storage. Then the choice is lost when the page is closed.
  }
}

function restore(form: HTMLFormElement): void {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, unknown>;
    for (const input of form.querySelectorAll('input')) {
      if (input.value === stored[input.name]) input.checked = true;
    }
  } catch {
    // Without a valid stored choice, the default units are used.
  }
}
