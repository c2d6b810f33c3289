/** The list of the next days, below the current weather. */
import type { Day, Forecast } from './api-client.js';
import { showAttribution } from './attribution.js';
import { element } from './elements.js';
import type { Units } from './units.js';
import { iconClasses } from './weather-icon.js';

/** Formats dates without a time zone: the service sends dates that are local to the place. */
const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
const shortWeekday = dateFormat({ weekday: 'short' });
const longDate = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' });

export function createForecastList(units: Units) {
  const section = element('forecast');
  const list = element('days');
  const message = element('forecast-message');
  let request = new AbortController();
  let days: Day[] = [];
  /** The date at the place; empty if the browser does not know the time zone. */
  let today = '';

  units.onChange(showDays);

  function showDays(): void {
    list.replaceChildren(...days.map((day) => dayItem(day, day.date === today, units)));
    element('forecast-legend').hidden = days.length === 0;
  }

  function reset(text: string): void {
    days = [];
    showDays();
    message.textContent = text;
    element('forecast-stale').hidden = true;
    element('forecast-source').replaceChildren();
  }

  return {
    /** Shows that the forecast is loading. The signal aborts when another place is shown, or none. */
    start(): AbortSignal {
      request.abort();
      request = new AbortController();
      reset('Loading the forecast …');
      section.hidden = false;
      return request.signal;
    },
    show(forecast: Forecast, headers: Headers): void {
      reset('');
      days = forecast.days;
      today = dateAt(forecast.timezone, Date.parse(headers.get('Date') ?? '') || Date.now());
      showDays();
      element('forecast-stale').hidden = headers.get('X-Cache') !== 'STALE';
      showAttribution('forecast-source', headers);
      const source = element('forecast-source');
      // Usually the same provider has the current weather and the forecast: then one credit is enough.
      source.hidden = source.textContent === element('source').textContent;
    },
    showError: reset,
    hide(): void {
      request.abort();
      section.hidden = true;
      reset('');
    },
  };
}

/** Returns the date in a time zone at an instant, such as `2026-11-24`. */
function dateAt(timeZone: string, instant: number): string {
  try {
    return new Date(instant).toLocaleDateString('en-CA', { timeZone });
  } catch {
    return '';
  }
}

/** Creates the card of a day. Screen readers get one sentence instead of the parts of the card. */
function dayItem(day: Day, isToday: boolean, units: Units): HTMLElement {
  const { date, temperature_min, temperature_max, condition } = day;
  const noon = new Date(`${date}T12:00Z`);
  const minimum = units.degrees(temperature_min);
  const maximum = units.degrees(temperature_max);
  const chance = day.precipitation_probability;

  const card = textElement('div', '');
  card.className = 'day';
  card.title = condition;
  card.setAttribute('aria-hidden', 'true');
  const temperatures = textElement('span', `${minimum}°`);
  temperatures.prepend(textElement('b', `${maximum}°`), ' ');
  card.append(
    textElement('span', isToday ? 'Today' : shortWeekday.format(noon)),
    iconOf(condition),
    temperatures,
  );
  if (chance !== null) card.append(textElement('span', `${chance} %`, 'chance'));

  const facts = [condition, `${minimum} to ${maximum} ${units.temperatureUnit()}`];
  if (chance !== null) facts.push(`${chance} % chance of precipitation`);
  const dateText = `${isToday ? 'Today, ' : ''}${longDate.format(noon)}`;
  const item = document.createElement('li');
  item.append(textElement('span', `${dateText}: ${facts.join(', ')}.`, 'visually-hidden'), card);
  return item;
}

/** Copies the icon of the page, for another condition. */
function iconOf(condition: string): Element {
  const icon = element('icon').cloneNode(true) as Element;
  icon.removeAttribute('id');
  icon.setAttribute('class', iconClasses(condition));
  return icon;
}

function textElement(tag: string, text: string, className = ''): HTMLElement {
  const created = document.createElement(tag);
  created.textContent = text;
  created.className = className;
  return created;
}
