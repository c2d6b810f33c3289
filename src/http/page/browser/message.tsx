import { CityLinks } from './search/city-links.js';
import type { Problem } from './state/problem.js';

/** A message, with other cities that the user may have meant, or a button to try again. */
export function Message({ problem: { text, choices = [], retry } }: { problem: Problem }) {
  return (
    <section class="message" aria-label="Message">
      <p role="alert">{text}</p>
      {choices.length > 0 && <CityLinks cities={choices} />}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </section>
  );
}
