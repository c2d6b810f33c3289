/** The form with the units. The browser stores the choice. */
import { element } from './elements.js';
import { unitsOf, type System, type Units } from './units.js';

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
  const choice = () => new FormData(form).get('units') as System;
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

function store(choice: System): void {
  try {
    localStorage.setItem(STORAGE_KEY, choice);
  } catch {
    // The browser can forbid storage. Then the choice is lost when the page is closed.
  }
}

function restore(form: HTMLFormElement): void {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    for (const input of form.querySelectorAll('input')) {
      if (input.value === stored) input.checked = true;
    }
  } catch {
    // The browser can forbid storage. Then the default units are used.
  }
}
