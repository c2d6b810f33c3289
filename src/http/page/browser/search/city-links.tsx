import { nameOf, queryStringOf, type Airport, type City } from '../state/queries.js';
import { t } from '../state/language.js';
import { getState } from '../state/page-state.js';
import { clearRecent } from '../state/recent.js';

/** A list of links to the weather of places. @param cities with the language of the name (BCP 47), if it is not English */
export function CityLinks({
  cities,
}: {
  cities: readonly ((City | Airport) & { lang?: string })[];
}) {
  return (
    <ul class="links">
      {cities.map((city) => (
        <li key={nameOf(city)}>
          <a href={queryStringOf(city)} dir="auto" lang={city.lang}>
            {nameOf(city)}
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
      <CityLinks cities={recent} />
      <button type="button" onClick={() => void clearRecent()}>
        {t.clear}
      </button>
    </section>
  );
}
