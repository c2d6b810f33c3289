/** The units that the user chose. The browser stores the choice. */
import { element } from './elements.js';

const KM_PER_MILE = 1.609344;
/** The key of the choice in `localStorage`. */
const STORAGE_KEY = 'units';
const oneDecimal = new Intl.NumberFormat('en', {
  maximumFractionDigits: 1,
  signDisplay: 'negative',
});
const noDecimals = new Intl.NumberFormat('en', {
  maximumFractionDigits: 0,
  signDisplay: 'negative',
});
/** Writes a minus sign, where the formatter writes a hyphen. */
const withMinus = (text: string) => text.replace('-', '−');

export interface Units {
  /** Formats a temperature with at most one decimal and its unit: `4.1 °C`. */
  temperature(celsius: number): string;
  /** Rounds a temperature to whole degrees, without its unit: `4`. */
  degrees(celsius: number): string;
  /** The unit of `degrees`: `°C` or `°F`. */
  temperatureUnit(): string;
  /** Formats a wind speed with its unit. */
  wind(kmPerHour: number): string;
  /** Calls the listener after each change of the units. */
  onChange(listener: () => void): void;
}

/** Reads the form with the units, and restores the last choice. */
export function createUnits(): Units {
  const form = element('units') as HTMLFormElement;
  const chosen = (name: string) => new FormData(form).get(name);
  const inChosenUnit = (celsius: number) =>
    chosen('temperature') === 'F' ? celsius * 1.8 + 32 : celsius;
  const temperatureUnit = () => (chosen('temperature') === 'F' ? '°F' : '°C');

  restore(form);
  form.addEventListener('change', () => {
    store(form);
  });

  return {
    temperature: (celsius) =>
      `${withMinus(oneDecimal.format(inChosenUnit(celsius)))} ${temperatureUnit()}`,
    degrees: (celsius) => withMinus(noDecimals.format(inChosenUnit(celsius))),
    temperatureUnit,
    wind(kmPerHour) {
      if (chosen('wind') !== 'mph') return `${oneDecimal.format(kmPerHour)} km/h`;
      return `${oneDecimal.format(kmPerHour / KM_PER_MILE)} mph`;
    },
    onChange(listener) {
      form.addEventListener('change', listener);
    },
  };
}

function store(form: HTMLFormElement): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(new FormData(form))));
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
