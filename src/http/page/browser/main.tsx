/** The page. It shows the weather of one place, and never the response to an outdated request. */
import { render } from 'preact';
import { Developers } from './developers.js';
import { Message } from './message.js';
import { LoadingPlace, PlaceWeather } from './place/place.js';
import { Examples, RecentSearches } from './search/city-links.js';
import { SearchForm } from './search/search-form.js';
import { followLink, openPage, showAddress, START } from './state/address.js';
import { loadTexts, t } from './state/language.js';
import { getState, onChange, setState, setSystem, type State } from './state/page-state.js';
import { showStoredRecent } from './state/recent.js';
import { refreshIfOld } from './state/weather.js';

declare global {
  /** Functions of the script in `index.html`. */
  interface Window {
    isTooOld: boolean;
    /** Loads the page anew, unless that has just been done. @returns whether it does */
    reloadOnce: () => boolean;
  }
}

/** Milliseconds between two updates of the age of the weather and of the local time. */
const UPDATE_MS = 30_000;

const root = document.getElementById('app') ?? document.body;
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href;

/** The page: the search, and below it the weather of a place, why there is none, or the start. */
function App() {
  const { weather, problem, query, isLoading } = getState();
  const hasPlace = isLoading || weather !== undefined;
  if (!weather) document.title = t.title;
  return (
    <>
      <Header />
      <main class={hasPlace ? '' : 'start'}>
        {!query && !problem && <h2>{t.anywhere}</h2>}
        <SearchForm />
        {problem && <Message problem={problem} />}
        {weather && <PlaceWeather weather={weather} />}
        {isLoading && !weather && <LoadingPlace />}
        <RecentSearches />
        {!hasPlace && <Examples />}
      </main>
      <footer>
        <Developers />
      </footer>
    </>
  );
}

/** The name of the page, which leads to the start, and the choice of units. */
function Header() {
  return (
    <header>
      <h1>
        <a href={START}>
          <img src={icon} alt="" width="32" height="32" />
          {t.title}
        </a>
      </h1>
      <select
        aria-label={t.units}
        value={getState().system}
        onChange={({ currentTarget }) => {
          setSystem(currentTarget.value as State['system']);
        }}
      >
        <option value="metric">{t.metric}</option>
        <option value="imperial">{t.imperial}</option>
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
  showStoredRecent();
  refreshIfOld();
}

async function start(): Promise<void> {
  await loadTexts();
  onChange((page, before) => {
    render(<App />, root);
    moveFocus(page, before);
  });
  addEventListener('popstate', showAddress);
  addEventListener('click', followLink);
  addEventListener('online', () => getState().problem?.retry?.());
  // Another tab has changed or cleared the searches.
  addEventListener('storage', showStoredRecent);
  addEventListener('pageshow', showStoredRecent);
  document.addEventListener('visibilitychange', update);
  setInterval(update, UPDATE_MS);
  openPage();
}

if (!window.isTooOld) void start();
