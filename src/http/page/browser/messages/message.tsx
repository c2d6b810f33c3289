import type { Actions } from '../state/actions.js';
import { nameOf } from '../state/queries.js';
import type { Problem } from '../state/store.js';
import { CityLink } from '../search/city-link.js';

/** A message, with other cities that the user may have meant, or a button to try again. */
export function Message({ problem, actions }: { problem: Problem; actions: Actions }) {
  const { text, choices = [], retry } = problem;
  return (
    <section class="message" aria-label="Message">
      <p role="alert">{choices.length > 0 ? `${text} Did you mean:` : text}</p>
      {choices.length > 0 && (
        <ul class="links" aria-label="Did you mean">
          {choices.map((city) => (
            <li key={nameOf(city)}>
              <CityLink city={city} go={actions.go} />
            </li>
          ))}
        </ul>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </section>
  );
}
