/** What a browser may lack or forbid: storage and the location. Nothing here throws. */
import type { Point } from './queries.js';

/** Reads a value from `localStorage`; undefined if there is none, or it is damaged, or the browser forbids storage. */
export function stored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Writes a value to `localStorage`, or removes it. */
export function store(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage, the value lasts until the page is closed.
  }
}

/** Decimals of a position in degrees. Two are about 1 km: enough for the weather, and too few to find a house. */
const DECIMALS = 2;

/** Whether the browser has geolocation. Over plain HTTP, some have none. */
export const canLocate = () => 'geolocation' in navigator;

/** Calls back with the position of the device, or with the code of a GeolocationPositionError. */
export function locate(onPoint: (point: Point) => void, onError: (code: number) => void): void {
  try {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        onPoint({ lat: latitude.toFixed(DECIMALS), lon: longitude.toFixed(DECIMALS) });
      },
      ({ code }) => {
        onError(code);
      },
      { timeout: 20_000, maximumAge: 600_000 },
    );
  } catch {
    onError(0);
  }
}

/** The customs of the browser's language: whether its clock has twelve hours, and its units are those of the United States. */
export function customs(): { isTwelveHours: boolean; isImperial: boolean } {
  try {
    const { hour12 = false } = new Intl.DateTimeFormat(navigator.language, {
      hour: 'numeric',
    }).resolvedOptions();
    const { region = '' } = new Intl.Locale(navigator.language);
    return { isTwelveHours: hour12, isImperial: ['US', 'LR', 'MM'].includes(region) };
  } catch {
    return { isTwelveHours: false, isImperial: false };
  }
}
