/** The page. It shows the weather of one place at a time, and never the response to an outdated request. */
import {
  Failure,
  ask,
  askForecast,
  askWeather,
  limitsOf,
  queryOf,
  type City,
  type Forecast,
  type Limits,
  type Question,
  type Weather,
} from './api-client.js';
import { createCombobox } from './combobox.js';
import { element } from './elements.js';
import { errorText, forecastErrorText, positionErrorText } from './error-texts.js';
import { createForecastList } from './forecast-list.js';
import { createMessageBox } from './message-box.js';
import { alternatives, interpret, nameOf } from './place-search.js';
import { createRecentList } from './recent-list.js';
import { createUnits } from './units.js';
import { createWeatherCard } from './weather-card.js';

/** The first and the longest pause between two checks whether the service is available again. */
const MIN_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 16_000;
/** Decimals of a position in degrees. Two are about 1 km: enough for the weather, and too few to find a house. */
const DECIMALS = 2;

const input = element('place') as HTMLInputElement;
const status = element('status');
const units = createUnits();
const card = createWeatherCard(units);
const forecast = createForecastList(units);
const messages = createMessageBox();
const recent = createRecentList(linkTo);
const combobox = createCombobox(search);

let request = new AbortController();
/** Until this time, the service rejects the request with this query, or every request if the query is empty. */
let pause = { until: 0, query: '', text: '' };
/** A text to show beside the weather for a query. */
let note = { query: '', text: '' };
/** Whether the focus was in a part of the page that the response replaces. */
let isFocusMoving = false;

/** Aborts the current request, so that its response is not shown, and starts another one. */
function start(): AbortSignal {
  isFocusMoving ||= isFocusReplaced();
  combobox.close();
  request.abort();
  request = new AbortController();
  status.textContent = '';
  return request.signal;
}

function isFocusReplaced(): boolean {
  return document.activeElement?.closest('#message, #recent') != null;
}

/** Moves the focus to the target if it was in a replaced part, and the user has not moved it meanwhile. */
function moveFocus(target: HTMLElement): void {
  const isLost = document.activeElement === document.body || isFocusReplaced();
  if (isFocusMoving && isLost) target.focus();
  isFocusMoving = false;
}

/** Shows a message instead of the weather. */
function showError(text: string): void {
  status.textContent = '';
  card.hide();
  forecast.hide();
  messages.show(text);
  moveFocus(input);
}

function linkTo({ city, country }: City): HTMLElement {
  const link = document.createElement('a');
  link.href = queryOf({ city, country });
  link.textContent = nameOf({ city, country });
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    search({ city, country });
  });
  return link;
}

/** Searches for a place, and changes the address of the page. @param text to show beside the weather */
function search(place: Question, text = ''): void {
  const question = 'lat' in place ? place : { city: place.city, country: place.country };
  const query = queryOf(question);
  note = { query, text };
  if (query !== location.search) history.pushState(undefined, '', query);
  loadFromAddress();
}

/** Shows the weather for the address of the page, so that links, reloads, and the back button work. */
function loadFromAddress(): void {
  const query = new URLSearchParams(location.search);
  const value = (name: string) => query.get(name) ?? '';
  if (query.has('lat') || query.has('lon')) {
    input.value = '';
    void load({ lat: value('lat'), lon: value('lon') });
  } else if (query.has('city') || query.has('country')) {
    const question = { city: value('city'), country: value('country') };
    input.value = nameOf(question);
    void load(question);
  } else {
    start();
    messages.clear();
    card.hide();
    forecast.hide();
  }
}

/** Loads the current weather, then the forecast. @param attempt number of earlier attempts without a response */
async function load(question: Question, attempt = 0): Promise<void> {
  const signal = start();
  if (performance.now() < pause.until && ['', queryOf(question)].includes(pause.query)) {
    showError(pause.text);
    messages.offerRetry(pause.until, () => void load(question));
    return;
  }
  if (attempt === 0) messages.clear();
  status.textContent = 'Loading the weather …';
  try {
    const { body, headers } = await askWeather(question, signal);
    if (signal.aborted) return;
    messages.clear();
    status.textContent = note.query === queryOf(question) ? note.text : '';
    card.show(body as Weather, headers);
    moveFocus(card.heading);
    showLimits(limitsOf(headers));
    // Loaded after the weather, so that an invalid place costs one request, and a new client gets
    // one session.
    void loadForecast(question);
    if ('city' in question) void recent.refresh();
  } catch (error) {
    if (signal.aborted) return;
    const failure = failureOf(error);
    showError(errorText(failure, question));
    showLimits(failure.limits);
    pauseAfter(failure, question);
    if (failure.title === 'Geocoding failed' && 'city' in question) {
      await offerAlternatives(question, failure.message, signal);
    }
    await retryLater(failure, signal, attempt, (next) => void load(question, next));
  }
}

/** Loads the forecast of the place that is shown. If that fails, the current weather stays. */
async function loadForecast(question: Question): Promise<void> {
  const signal = forecast.start();
  try {
    const { body, headers } = await askForecast(question, signal);
    if (signal.aborted) return;
    forecast.show(body as Forecast, headers);
    showLimits(limitsOf(headers));
  } catch (error) {
    if (signal.aborted) return;
    const failure = failureOf(error);
    forecast.showError(forecastErrorText(failure));
    showLimits(failure.limits);
    if (failure.status === 429) pauseAfter(failure, question);
  }
}

function failureOf(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure(500);
}

/** Remembers how long the service rejects requests: all of them after a 429, else those for this place. */
function pauseAfter(failure: Failure, question: Question): void {
  const { retryAfter, status } = failure;
  if (retryAfter === 0) return;
  pause = {
    until: performance.now() + retryAfter * 1000,
    query: status === 429 ? '' : queryOf(question),
    text: errorText(failure, question),
  };
}

/** Offers a retry after `Retry-After`. If the service did not respond, retries as soon as it is available. */
async function retryLater(
  { retryAfter, status }: Failure,
  signal: AbortSignal,
  attempt: number,
  retry: (attempt: number) => void,
): Promise<void> {
  if (retryAfter > 0) {
    messages.offerRetry(performance.now() + retryAfter * 1000, () => {
      retry(0);
    });
  } else if (status === 0 && (await waitUntilAvailable(signal, attempt))) {
    retry(attempt + 1);
  }
}

async function offerAlternatives(city: City, message: string, signal: AbortSignal): Promise<void> {
  const cities = await alternatives(city, message, signal).catch(() => []);
  if (!signal.aborted) messages.offerChoices(cities.map(linkTo));
}

/** Checks the health of the service with exponential backoff. @returns false if the signal aborts first */
async function waitUntilAvailable(signal: AbortSignal, attempt: number): Promise<boolean> {
  for (let backoff = MIN_BACKOFF_MS * 2 ** attempt; !signal.aborted; backoff *= 2) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(backoff, MAX_BACKOFF_MS)));
    try {
      await ask('api/v1/health/live', signal);
      return true;
    } catch {
      // The service is still unavailable.
    }
  }
  return false;
}

function showLimits(limits: Limits | undefined): void {
  if (!limits) return;
  const time = new Date(Date.now() + limits.moreIn * 1000).toLocaleTimeString('en-GB');
  element('limits').textContent =
    `${limits.remaining} of ${limits.limit} requests remain. One more becomes available at ${time}.`;
}

/** Searches for a typed text. @param attempt number of earlier attempts without a response */
async function submit(text: string, attempt = 0): Promise<void> {
  const signal = start();
  if (text === '') {
    messages.show('Please type the name of a city.');
    return;
  }
  status.textContent = 'Searching for the place …';
  try {
    const { city, text: explanation } = await interpret(text, signal);
    if (signal.aborted) return;
    if (city) {
      search(city, explanation);
      return;
    }
    showError(explanation);
    await offerAlternatives({ city: text, country: '' }, '', signal);
  } catch (error) {
    if (signal.aborted) return;
    const failure = failureOf(error);
    showError(errorText(failure));
    await retryLater(failure, signal, attempt, (next) => {
      // If the user has typed something else meanwhile, the search is outdated.
      if (input.value.trim() === text) void submit(text, next);
    });
  }
}

/** Searches for the position of the browser, if the user allows it. */
function searchHere(): void {
  const signal = start();
  status.textContent = 'Waiting for your location …';
  navigator.geolocation.getCurrentPosition(
    ({ coords: { latitude, longitude } }) => {
      if (signal.aborted) return;
      search({ lat: latitude.toFixed(DECIMALS), lon: longitude.toFixed(DECIMALS) });
    },
    ({ code }) => {
      if (signal.aborted) return;
      status.textContent = '';
      messages.show(positionErrorText(code));
    },
    { timeout: 20_000, maximumAge: 600_000 },
  );
}

element('search').addEventListener('submit', (event) => {
  event.preventDefault();
  void submit(input.value.trim());
});
element('here').addEventListener('click', searchHere);
addEventListener('popstate', loadFromAddress);
element('plain').hidden = true;
element('app').hidden = false;
loadFromAddress();
void recent.refresh();
