/** The storage of the browser, which may forbid it. Neither function throws. */

/** Reads a value; undefined if there is none, or it is damaged, or the browser forbids storage. */
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
