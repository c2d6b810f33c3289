import type { Actions } from '../state/actions.js';
import { nameOf, type City } from '../state/queries.js';
import { CityLink } from './city-link.js';

/** The recent searches of the session. */
export function RecentSearches({ recent, actions }: { recent: City[]; actions: Actions }) {
  if (recent.length === 0) return null;
  return (
    <section class="recent" aria-labelledby="recent-title">
      <h2 id="recent-title">Recent searches</h2>
      <ul class="links">
        {recent.map((city) => (
          <li key={nameOf(city)}>
            <CityLink city={city} go={actions.go} />
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => void actions.clear()}>
        Clear
      </button>
    </section>
  );
}
