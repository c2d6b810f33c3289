import type { Actions } from '../state/actions.js';
import type { City } from '../state/queries.js';
import { CityLinks } from './city-links.js';

/** The recent searches of the session. */
export function RecentSearches({ recent, actions }: { recent: City[]; actions: Actions }) {
  if (recent.length === 0) return null;
  return (
    <section class="recent" aria-labelledby="recent-title">
      <h2 id="recent-title">Recent searches</h2>
      <CityLinks cities={recent} go={actions.go} />
      <button type="button" onClick={() => void actions.clear()}>
        Clear
      </button>
    </section>
  );
}
