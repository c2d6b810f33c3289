/** The page. It shows the weather of one place at a time, and never the response to an outdated request. */
import { render } from 'preact';
import { LazyPlace } from './lazy-place.js';
import { Message } from './message.js';
import { RecentSearches } from './search/city-links.js';
import { SearchForm } from './search/search-form.js';
import { Start } from './start-view.js';
import { followLink, openPage, showAddress, START } from './state/address.js';
import { getState, onChange, setState, setSystem, type State } from './state/page-state.js';
import { refreshIfOld } from './state/weather.js';

/** Milliseconds between two updates of the age of the weather and of the local time. */
const UPDATE_MS = 30_000;

const root = document.getElementById('app') ?? document.body;

onChange((page, before) => {
  render(<App page={page} />, root);
  moveFocus(page, before);
});

/** The page: the search, and below it the weather of a place, or why there is none, or the start. */
function App({ page }: { page: State }) {
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

/** The name of the page, which leads to the start, and the choice of units. */
function Header({ system }: Pick<State, 'system'>) {
  return (
    <header>
      <h1>
        <a href={START}>
          <img src="page/icon.svg" alt="" width="32" height="32" />
          Weather
        </a>
      </h1>
      <select
        aria-label="Units"
        value={system}
        onChange={({ currentTarget }) => {
          setSystem(currentTarget.value as State['system']);
        }}
      >
        <option value="metric">Metric (°C)</option>
        <option value="imperial">Imperial (°F)</option>
      </select>
    </header>
  );
}

/** Moves the focus to the result of a search, unless the user has moved it meanwhile. */
function moveFocus(page: State, before: State): void {
  const { problem, weather, isLoading, movesFocus } = page;
  const hasEnded = problem !== before.problem || weather?.conditions !== before.weather?.conditions;
  const isLost = document.activeElement === document.body;
  if (isLoading || !hasEnded || !isLost || !movesFocus) return;
  // On a phone, the field opens the keyboard, which covers the message.
  const isTouch = matchMedia('(pointer: coarse)').matches;
  if (!problem) document.getElementById('card-place')?.focus();
  else if (!isTouch) document.getElementById('place')?.focus();
}

function update(): void {
  setState({ now: Date.now() });
  refreshIfOld();
}

addEventListener('popstate', showAddress);
addEventListener('click', followLink);
addEventListener('online', () => getState().problem?.retry?.());
document.addEventListener('visibilitychange', update);
setInterval(update, UPDATE_MS);
document.getElementById('plain')?.remove();
openPage();
