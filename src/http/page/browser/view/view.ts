/** What a search shows. `page-view.ts` is the view in the browser. */
import type { Choice } from '../messages/alternatives.js';
import type { Limits } from '../service/api-client.js';
import type { Query } from '../service/queries.js';
import type { ApiResponse, Conditions, Days, Hours } from '../service/weather-api.js';

/** A part of the view that is loaded after the present weather. */
export interface SectionView<Result> {
  /** Shows that it is loading. The signal aborts when another place is shown, or none. */
  begin: () => AbortSignal;
  show: (response: Result) => void;
  /** Shows a text instead. */
  showError: (text: string) => void;
}

export interface View {
  /** Prepares the page for the next search. */
  begin: () => void;
  /** Shows the first view: neither weather nor a message. */
  clear: () => void;
  showStatus: (text: string) => void;
  /** Dims the last place while the weather of another one is loading, or shows an empty card. */
  startLoading: (query: Query) => void;
  showConditions: (query: Query, response: ApiResponse<Conditions>) => void;
  hours: SectionView<ApiResponse<Hours>>;
  days: SectionView<ApiResponse<Days>>;
  /** Shows a message, and leaves the weather. */
  showMessage: (text: string) => void;
  /** Removes the message. The last weather is no longer dimmed. */
  clearMessage: () => void;
  /** Shows a message instead of the weather. */
  showError: (text: string) => void;
  /** Shows that the service does not respond, above the last weather, which stays dimmed. */
  showOutage: () => void;
  /** Counts down, then offers an action. @param until by the clock of the page */
  offerRetry: (until: number, action: () => void) => void;
  /** Offers cities that the user may have meant. */
  offerChoices: (choices: Choice[]) => void;
  /** Shows the rate limit if few requests remain. */
  showLimits: (limits: Limits | undefined) => void;
}
