/** The page's address contains the place, so that links, reloads, and the back button work. */
import { setState } from './page-state.js';
import { nameOf, queryIn } from './queries.js';
import { lastPlace, readRecent } from './recent.js';
import { closeSuggestions } from './suggestion-list.js';
import { loadWeather, nextSearch } from './weather.js';

/** The address of the start, also for users who have searched before. */
export const START = '?start';

/** Shows what the address of the page names. */
export function showAddress(): void {
  const query = queryIn(location.search);
  closeSuggestions();
  setState({ movesFocus: false, text: query ? nameOf(query) : '' });
  if (query) void loadWeather(query);
  else {
    nextSearch();
    setState({ query, weather: undefined, problem: undefined, isLoading: false });
  }
}

/** Changes the address. @param search its query string */
export function navigate(search: string): void {
  if (search !== location.search) history.pushState(undefined, '', search);
  showAddress();
  setState({ movesFocus: true });
}

/** Shows another view without a page load. With a modifier key, a click opens a tab or window. */
export function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="?"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  navigate(link.search);
}

/** Shows what the address asks for. No query: the last place, unless the user wants the start. */
export function openPage(): void {
  const last = lastPlace();
  const isPlace = typeof last === 'string' && last.startsWith('?') && queryIn(last) !== undefined;
  if (isPlace && location.search === '') history.replaceState(history.state, '', last);
  showAddress();
  void readRecent();
}
