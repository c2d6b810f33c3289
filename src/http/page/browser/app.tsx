import { Header } from './header.js';
import { LazyPlace } from './lazy-place.js';
import { Message } from './message.js';
import { RecentSearches } from './search/city-links.js';
import { SearchForm } from './search/search-form.js';
import { Start } from './start.js';
import type { State } from './state/store.js';

/** The page: the search, and below it the weather of a place, or why there is none, or the start. */
export function App({ page }: { page: State }) {
  const { weather, problem, query, isLoading, system, recent } = page;
  const hasPlace = isLoading || weather !== undefined;
  if (!weather) document.title = 'Weather';
  return (
    <>
      <Header system={system} />
      <main class={hasPlace ? '' : 'start'}>
        {!query && !problem && <h2>The weather anywhere</h2>}
        <SearchForm page={page} />
        {problem && <Message problem={problem} />}
        {hasPlace && <LazyPlace page={page} />}
        <RecentSearches recent={recent} />
        {!hasPlace && <Start />}
      </main>
      <footer>
        <a href="apidocs/">API documentation</a>
        <a href="openapi.json">OpenAPI description</a>
      </footer>
    </>
  );
}
