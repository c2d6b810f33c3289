/** What a search shows. `page-view.ts` is the view in the browser. */
import type { Choice } from '../messages/alternatives.js';
import type { Limits } from '../service/api-client.js';
import type { Question } from '../service/questions.js';
import type { Answer, Conditions, Days, Hours } from '../service/weather-api.js';

/** A part of the view that is loaded after the present weather. */
export interface SectionView<Answered> {
  /** Shows that it is loading. The signal aborts when another place is shown, or none. */
  begin: () => AbortSignal;
  show: (answer: Answered) => void;
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
  startLoading: (question: Question) => void;
  showConditions: (question: Question, answer: Answer<Conditions>) => void;
  hours: SectionView<Answer<Hours>>;
  days: SectionView<Answer<Days>>;
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
