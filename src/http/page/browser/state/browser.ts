/** Functions of the browser that it may forbid or not have. None of these throws. */

/** Reads a value from `localStorage`; undefined if there is none, or it is damaged, or the browser forbids storage. */
export function readFromBrowser(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '');
  } catch {
    return undefined;
  }
}

export function storeInBrowser(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage, the value lasts until the page is closed.
  }
}

/** The regional defaults of the browser's language: a clock with twelve hours, and the units of the United States. */
export function regionalDefaults(): { hour12?: boolean | undefined; isImperial: boolean } {
  try {
    const { language } = navigator;
    const { hour12 } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions();
    const { region = '' } = new Intl.Locale(language);
    return { hour12, isImperial: ['US', 'LR', 'MM'].includes(region) };
  } catch {
    return { isImperial: false };
  }
}
