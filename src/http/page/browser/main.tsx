/** The page. It shows the weather of one place at a time, and never the response to an outdated request. */
import { render } from 'preact';
import { App } from './app.js';
import { followLink, open, showAddress } from './state/address.js';
import { current, onChange, set, type State } from './state/store.js';
import { refresh } from './state/weather.js';

/** Milliseconds between two updates of the age of the weather and of the local time. */
const TICK_MS = 30_000;

const root = document.getElementById('app') ?? document.body;

onChange((page, before) => {
  render(<App page={page} />, root);
  moveFocus(page, before);
});

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

function tick(): void {
  set({ now: Date.now() });
  refresh();
}

addEventListener('popstate', showAddress);
addEventListener('click', followLink);
addEventListener('online', () => current().problem?.retry?.());
document.addEventListener('visibilitychange', tick);
setInterval(tick, TICK_MS);
document.getElementById('plain')?.remove();
open();
