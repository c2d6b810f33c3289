import { CityLinks } from '../search/city-links.js';
import type { Actions } from '../state/actions.js';
import type { Problem } from '../state/store.js';

/** A message, with other cities that the user may have meant, or a button to try again. */
export function Message({ problem, actions }: { problem: Problem; actions: Actions }) {
  const { text, choices = [], retry } = problem;
  return (
    <section class="message" aria-label="Message">
      <p role="alert">{text}</p>
      {choices.length > 0 && <CityLinks cities={choices} go={actions.go} />}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </section>
  );
}
