/** The weather as a card, in the units that were chosen last. */
import type { Weather } from './api.js';
import { element } from './elements.js';
import { nameOf } from './places.js';
import { skyOf } from './sky.js';

const KM_PER_MILE = 1.609344;
/** The name under which the browser keeps the units. */
const UNITS = 'units';
const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'negative' });
/** With a minus sign, where the formatter has a hyphen. */
const format = (value: number) => number.format(value).replace('-', '−');
const ago = new Intl.RelativeTimeFormat('en');

export function createCard() {
  const card = element('card');
  const units = element('units') as HTMLFormElement;
  const announcement = element('announcement');
  const heading = element('card-place');
  let weather: Weather | undefined;
  let fetchedAt = 0;

  recallUnits(units);
  units.addEventListener('change', () => {
    rememberUnits(units);
    showValues();
  });
  setInterval(showAge, 15_000);

  function showValues(): void {
    if (!weather) return;
    const { temperature, wind_speed: wind } = weather;
    const chosen = new FormData(units);
    const degrees =
      chosen.get('temperature') === 'F'
        ? `${format(temperature * 1.8 + 32)} °F`
        : `${format(temperature)} °C`;
    element('temperature').textContent = degrees;
    document.title = `${degrees} ${nameOf(weather.location)}`;
    element('wind').textContent =
      chosen.get('wind') === 'mph' ? `${format(wind / KM_PER_MILE)} mph` : `${format(wind)} km/h`;
  }

  function showAge(): void {
    const minutes = Math.floor((Date.now() - fetchedAt) / 60_000);
    const text =
      minutes < 60 ? ago.format(-minutes, 'minute') : ago.format(-Math.floor(minutes / 60), 'hour');
    element('age').textContent = minutes < 1 ? 'Fetched just now.' : `Fetched ${text}.`;
  }

  return {
    heading,
    show(answer: Weather, headers: Headers): void {
      weather = answer;
      fetchedAt = Date.now() - Number(headers.get('Age')) * 1000;
      const place = nameOf(answer.location);
      heading.textContent = place;
      element('condition').textContent = answer.condition;
      element('humidity').textContent = `${answer.humidity} %`;
      element('sky').setAttribute('class', skyOf(headers));
      element('stale').hidden = headers.get('X-Cache') !== 'STALE';
      element('source').replaceChildren(...credit(headers.get('X-Weather-Attribution') ?? ''));
      element('source').classList.toggle('warning', headers.get('X-Weather-Provider') === 'demo');
      showValues();
      showAge();
      card.hidden = false;
      const temperature = element('temperature').textContent;
      announcement.textContent = `${place}: ${temperature}, ${answer.condition}.`;
    },
    hide(): void {
      card.hidden = true;
      document.title = 'Current weather';
      announcement.textContent = '';
    },
  };
}

/** "Text <link>, licence", with the link as one. */
function credit(text: string): (string | HTMLElement)[] {
  const [, name, href, rest] = /^(.*?) <(https?:\/\/[^<>]+)>(.*)$/.exec(text) ?? [];
  if (!name || !href) return [text];
  const link = document.createElement('a');
  link.href = href;
  link.textContent = name;
  return [link, rest ?? ''];
}

function rememberUnits(form: HTMLFormElement): void {
  try {
    localStorage.setItem(UNITS, JSON.stringify(Object.fromEntries(new FormData(form))));
  } catch {
    // A browser may forbid it: then the choice lasts as long as the page.
  }
}

function recallUnits(form: HTMLFormElement): void {
  try {
    const chosen = JSON.parse(localStorage.getItem(UNITS) ?? '{}') as Record<string, unknown>;
    for (const input of form.querySelectorAll('input')) {
      if (input.value === chosen[input.name]) input.checked = true;
    }
  } catch {
    // As if nothing had been chosen.
  }
}
