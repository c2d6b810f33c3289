import { CityLinks } from './search/city-links.js';
import { t } from './state/language.js';
import type { Problem } from './state/page-state.js';

/** A message, with other cities that the user may have meant, or a button to try again. */
export function Message({ problem: { text, choices = [], retry } }: { problem: Problem }) {
  return (
    <section class="message" aria-label={t.message}>
      <p role="alert" dir="auto">
        {text}
      </p>
      {choices.length > 0 && <CityLinks places={choices} />}
      {retry && (
        <button type="button" onClick={retry}>
          {t.retry}
        </button>
      )}
    </section>
  );
}
