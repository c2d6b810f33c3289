import { nameOf, queryStringOf, type Query } from '../state/queries.js';
import { t } from '../state/language.js';
import { getState } from '../state/page-state.js';
import { clearRecent } from '../state/recent.js';

/** Places in several scripts, each in a language of the place. A click fetches the weather. */
const EXAMPLES = [
  { city: '東京', country: '日本' },
  { city: 'München', country: 'Deutschland' },
  { city: 'القاهرة', country: 'مصر' },
  { city: 'São Paulo', country: 'Brasil' },
  { city: 'Nairobi', country: 'Kenya' },
  { city: 'Reykjavík', country: 'Ísland' },
];

/** A list of links to the weather of places. */
export function CityLinks({ places }: { places: Query[] }) {
  return (
    <ul class="links">
      {places.map((place) => (
        <li key={nameOf(place)}>
          <a href={queryStringOf(place)} dir="auto">
            {nameOf(place)}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function RecentSearches() {
  const { recent } = getState();
  if (recent.length === 0) return null;
  return (
    <section class="recent" aria-labelledby="recent-title">
      <h2 id="recent-title">{t.recent}</h2>
      <CityLinks places={recent} />
      <button type="button" onClick={() => void clearRecent()}>
        {t.clear}
      </button>
    </section>
  );
}

export function Examples() {
  return (
    <section class="examples" aria-labelledby="examples-title">
      <h2 id="examples-title">{t.examples}</h2>
      <CityLinks places={EXAMPLES} />
    </section>
  );
}
