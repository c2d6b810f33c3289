/** The page. It shows the weather of one place at a time, and never the response to an outdated request. */
import { render } from 'preact';
import { App } from './app.js';
import { createActions, storedSearches, UNITS_KEY } from './state/actions.js';
import { customs, stored } from './state/browser.js';
import { createStore } from './state/store.js';

/** Milliseconds between two updates of the age of the weather and of the local time. */
const TICK_MS = 30_000;

const root = document.getElementById('app') ?? document.body;
const { isTwelveHours, isImperial } = customs();
const choice = stored(UNITS_KEY);
const usual = isImperial ? 'imperial' : 'metric';

const store = createStore(
  {
    ...{ text: '', suggestions: [], active: -1, status: '' },
    ...{ query: undefined, isLoading: false, weather: undefined, problem: undefined },
    movesFocus: false,
    recent: storedSearches(),
    system: choice === 'metric' || choice === 'imperial' ? choice : usual,
    isTwelveHours,
    now: Date.now(),
  },
  (page) => {
    render(<App page={page} actions={actions} />, root);
  },
);
const actions = createActions(store);

addEventListener('popstate', actions.showAddress);
addEventListener('online', actions.retry);
addEventListener('pageshow', actions.refreshOnReturn);
document.addEventListener('visibilitychange', actions.refreshOnReturn);
setInterval(actions.tick, TICK_MS);
document.getElementById('plain')?.remove();
actions.open();
