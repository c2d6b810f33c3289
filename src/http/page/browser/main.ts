/** The page: one question at a time, and only the newest may show its answer. */
import {
  Failure,
  ask,
  askWeather,
  limitsOf,
  queryOf,
  type City,
  type Limits,
  type Question,
  type Weather,
} from './api.js';
import { createCard } from './card.js';
import { createCombobox } from './combobox.js';
import { element } from './elements.js';
import { createMessages } from './messages.js';
import { meaningOf, meant, nameOf } from './places.js';
import { createRecent } from './recent.js';
import { explain, explainPosition } from './words.js';

/** The first and the longest pause before a look whether the service is back. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 16_000;
/** Of a position, in degrees: a kilometre is enough for the weather, and leads to nobody's door. */
const DECIMALS = 2;

const input = element('place') as HTMLInputElement;
const status = element('status');
const card = createCard();
const messages = createMessages();
const recent = createRecent(linkTo);
const combobox = createCombobox(search);

let current = new AbortController();
/** The service wants no request until then: none at all, or not the one of this query. */
let pause = { until: 0, query: '', text: '' };
/** What to say beside the answer to a query. */
let note = { query: '', text: '' };
/** Whether the focus is, or was, on something that goes when the answer comes. */
let isFocusPassing = false;

/** Ends what is going on: whatever it still brings is not shown. */
function begin(): AbortSignal {
  isFocusPassing ||= isOnPassing();
  combobox.close();
  current.abort();
  current = new AbortController();
  status.textContent = '';
  return current.signal;
}

function isOnPassing(): boolean {
  return document.activeElement?.closest('#message, #recent') != null;
}

/** Leaves the focus where the user has put it meanwhile. */
function keepFocus(target: HTMLElement): void {
  const isLost = document.activeElement === document.body || isOnPassing();
  if (isFocusPassing && isLost) target.focus();
  isFocusPassing = false;
}

/** Says why there is no weather to show. */
function tell(text: string): void {
  status.textContent = '';
  card.hide();
  messages.show(text);
  keepFocus(input);
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

/** A new search, with an address of its own. @param words to say beside its answer */
function search(found: Question, words = ''): void {
  const question = 'lat' in found ? found : { city: found.city, country: found.country };
  const query = queryOf(question);
  note = { query, text: words };
  if (query !== location.search) history.pushState(undefined, '', query);
  follow();
}

/** A search can be linked to, survives a reload, and can be gone back to. */
function follow(): void {
  const query = new URLSearchParams(location.search);
  const value = (name: string) => query.get(name) ?? '';
  if (query.has('lat') || query.has('lon')) {
    input.value = '';
    void answer({ lat: value('lat'), lon: value('lon') });
  } else if (query.has('city') || query.has('country')) {
    const question = { city: value('city'), country: value('country') };
    input.value = nameOf(question);
    void answer(question);
  } else {
    begin();
    messages.clear();
    card.hide();
  }
}

/** @param attempt how often the service was gone before */
async function answer(question: Question, attempt = 0): Promise<void> {
  const signal = begin();
  if (performance.now() < pause.until && ['', queryOf(question)].includes(pause.query)) {
    tell(pause.text);
    messages.offerRetry(pause.until, () => void answer(question));
    return;
  }
  if (attempt === 0) messages.clear();
  status.textContent = 'Looking at the sky …';
  try {
    const { body, headers } = await askWeather(question, signal);
    if (signal.aborted) return;
    messages.clear();
    status.textContent = note.query === queryOf(question) ? note.text : '';
    card.show(body as Weather, headers);
    keepFocus(card.heading);
    showLimits(limitsOf(headers));
    if ('city' in question) void recent.refresh();
  } catch (error) {
    if (signal.aborted) return;
    const failure = failureOf(error);
    const text = explain(failure, question);
    tell(text);
    showLimits(failure.limits);
    if (failure.retryAfter > 0) {
      pause = {
        until: performance.now() + failure.retryAfter * 1000,
        query: failure.status === 429 ? '' : queryOf(question),
        text,
      };
    }
    if (failure.title === 'Geocoding failed' && 'city' in question) {
      await offer(question, failure.message, signal);
    }
    await recover(failure, signal, attempt, (next) => void answer(question, next));
  }
}

function failureOf(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure(500);
}

/** Does something again: when the service wants it, or as soon as the service is back. */
async function recover(
  { retryAfter, status }: Failure,
  signal: AbortSignal,
  attempt: number,
  again: (attempt: number) => void,
): Promise<void> {
  if (retryAfter > 0) {
    messages.offerRetry(performance.now() + retryAfter * 1000, () => {
      again(0);
    });
  } else if (status === 0 && (await isBack(signal, attempt))) {
    again(attempt + 1);
  }
}

async function offer(city: City, message: string, signal: AbortSignal): Promise<void> {
  const cities = await meant(city, message, signal).catch(() => []);
  if (!signal.aborted) messages.offer(cities.map(linkTo));
}

/** Asks, less and less often, until the service is alive; false: nobody waits for it any more. */
async function isBack(signal: AbortSignal, attempt: number): Promise<boolean> {
  for (let wait = FIRST_PAUSE_MS * 2 ** attempt; !signal.aborted; wait *= 2) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(wait, LONGEST_PAUSE_MS)));
    try {
      await ask('api/v1/health/live', signal);
      return true;
    } catch {
      // Not yet.
    }
  }
  return false;
}

function showLimits(limits: Limits | undefined): void {
  if (!limits) return;
  const time = new Date(Date.now() + limits.moreIn * 1000).toLocaleTimeString('en-GB');
  element('limits').textContent =
    `${limits.remaining} of ${limits.limit} requests are left. There is one more at ${time}.`;
}

/** @param attempt how often the service was gone before */
async function submit(text: string, attempt = 0): Promise<void> {
  const signal = begin();
  if (text === '') {
    messages.show('Please type the name of a city.');
    return;
  }
  status.textContent = 'Looking at the map …';
  try {
    const { city, words } = await meaningOf(text, signal);
    if (signal.aborted) return;
    if (city) {
      search(city, words);
      return;
    }
    tell(words);
    await offer({ city: text, country: '' }, '', signal);
  } catch (error) {
    if (signal.aborted) return;
    const failure = failureOf(error);
    tell(explain(failure));
    await recover(failure, signal, attempt, (next) => {
      // Who has begun to type something else no longer waits for this.
      if (input.value.trim() === text) void submit(text, next);
    });
  }
}

/** By the position that the browser tells, if it may. */
function searchHere(): void {
  const signal = begin();
  status.textContent = 'Asking the browser where you are …';
  navigator.geolocation.getCurrentPosition(
    ({ coords: { latitude, longitude } }) => {
      if (signal.aborted) return;
      search({ lat: latitude.toFixed(DECIMALS), lon: longitude.toFixed(DECIMALS) });
    },
    ({ code }) => {
      if (signal.aborted) return;
      status.textContent = '';
      messages.show(explainPosition(code));
    },
    { timeout: 20_000, maximumAge: 600_000 },
  );
}

element('search').addEventListener('submit', (event) => {
  event.preventDefault();
  void submit(input.value.trim());
});
element('here').addEventListener('click', searchHere);
addEventListener('popstate', follow);
element('plain').hidden = true;
element('app').hidden = false;
follow();
void recent.refresh();
