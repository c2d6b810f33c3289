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
import { cityOf, meant, nameOf } from './places.js';
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

/** Ends what is going on: whatever it still brings is not shown. */
function begin(): AbortSignal {
  combobox.close();
  current.abort();
  current = new AbortController();
  status.textContent = '';
  return current.signal;
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

/** A new search, with an address of its own. */
function search(found: Question): void {
  const question = 'lat' in found ? found : { city: found.city, country: found.country };
  const query = queryOf(question);
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
  const again = () => void answer(question);
  if (performance.now() < pause.until && ['', queryOf(question)].includes(pause.query)) {
    card.hide();
    messages.show(pause.text);
    messages.offerRetry(pause.until, again);
    return;
  }
  if (attempt === 0) messages.clear();
  status.textContent = 'Looking at the sky …';
  try {
    const { body, headers } = await askWeather(question, signal);
    if (signal.aborted) return;
    messages.clear();
    status.textContent = '';
    card.show(body as Weather, headers);
    showLimits(limitsOf(headers));
    if ('city' in question) void recent.refresh();
  } catch (error) {
    if (signal.aborted) return;
    const failure = error instanceof Failure ? error : new Failure(500);
    const text = explain(failure, question);
    status.textContent = '';
    card.hide();
    showLimits(failure.limits);
    messages.show(text);
    if (failure.retryAfter > 0) {
      pause = {
        until: performance.now() + failure.retryAfter * 1000,
        query: failure.status === 429 ? '' : queryOf(question),
        text,
      };
      messages.offerRetry(pause.until, again);
    } else if (failure.status === 0) {
      if (await isBack(signal, attempt)) void answer(question, attempt + 1);
    } else if (failure.title === 'Geocoding failed' && 'city' in question) {
      await offer(question, failure.message, signal);
    }
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

async function submit(): Promise<void> {
  const text = input.value.trim();
  const signal = begin();
  if (text === '') {
    messages.show('Please type the name of a city.');
    return;
  }
  status.textContent = 'Looking at the map …';
  const city = await cityOf(text, signal).catch(() => undefined);
  if (signal.aborted) return;
  if (city) {
    search(city);
    return;
  }
  status.textContent = '';
  card.hide();
  messages.show(`No place called “${text}” is known. Please add the country: “City, Country”.`);
  await offer({ city: text, country: '' }, '', signal);
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
  void submit();
});
element('here').addEventListener('click', searchHere);
addEventListener('popstate', follow);
element('plain').hidden = true;
element('app').hidden = false;
follow();
void recent.refresh();
