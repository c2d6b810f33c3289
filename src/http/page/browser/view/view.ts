/** What a search shows. `page-view.ts` is the view in the browser. */
import type { Forecast, Limits, Weather } from '../service/api-client.js';
import type { City } from '../service/questions.js';

export interface View {
  /** Prepares the page for the next search. */
  begin: () => void;
  /** Shows neither the weather nor a message. */
  clear: () => void;
  showStatus: (text: string) => void;
  showWeather: (weather: Weather, headers: Headers) => void;
  /** Shows that the forecast is loading. The signal aborts when another place is shown, or none. */
  beginForecast: () => AbortSignal;
  showForecast: (forecast: Forecast, headers: Headers) => void;
  showForecastError: (text: string) => void;
  /** Shows a message, and leaves the weather. */
  showMessage: (text: string) => void;
  clearMessage: () => void;
  /** Shows a message instead of the weather. */
  showError: (text: string) => void;
  /** Counts down, then offers an action. @param until by the clock of the page */
  offerRetry: (until: number, action: () => void) => void;
  /** Offers cities that the user may have meant. */
  offerCities: (cities: City[]) => void;
  /** Shows the rate limit, if there is one. */
  showLimits: (limits: Limits | undefined) => void;
}
