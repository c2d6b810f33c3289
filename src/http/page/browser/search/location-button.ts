/** The button that searches for the position of the browser. */
import { element } from '../view/elements.js';
import { positionErrorText } from '../messages/error-texts.js';
import type { LatestRequest } from '../service/latest-request.js';
import type { Query } from '../service/queries.js';
import type { View } from '../view/view.js';

/** Decimals of a position in degrees. Two are about 1 km: enough for the weather, and too few to find a house. */
const DECIMALS = 2;

interface LocationButtonOptions {
  view: View;
  /** The search of the page. It aborts when the user starts another one. */
  searches: LatestRequest;
  onPosition: (query: Query) => void;
}

export function createLocationButton({ view, searches, onPosition }: LocationButtonOptions): void {
  element('here').addEventListener('click', () => {
    const signal = searches.start();
    view.begin();
    view.showStatus('Waiting for your location …');
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        if (signal.aborted) return;
        onPosition({ lat: latitude.toFixed(DECIMALS), lon: longitude.toFixed(DECIMALS) });
      },
      ({ code }) => {
        if (signal.aborted) return;
        view.showStatus('');
        view.showMessage(positionErrorText(code));
      },
      { timeout: 20_000, maximumAge: 600_000 },
    );
  });
}
