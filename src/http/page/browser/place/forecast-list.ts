/** The list of the next days, below the current weather. */
import { isStale, timeOf, type Day, type Forecast } from '../service/api-client.js';
import { showAttribution } from './attribution.js';
import { dateAt, dayTexts } from './day-texts.js';
import { element } from '../view/elements.js';
import { createLatestRequest } from '../service/latest-request.js';
import type { UnitForm } from '../view/unit-form.js';
import type { Units } from '../view/units.js';
import { iconClasses } from './weather-icon.js';

export function createForecastList(unitForm: UnitForm) {
  const section = element('forecast');
  const list = element('days');
  const message = element('forecast-message');
  const requests = createLatestRequest();
  let days: Day[] = [];
  /** The date at the place; empty if the browser does not know the time zone. */
  let today = '';

  unitForm.onChange(showDays);

  function showDays(): void {
    const units = unitForm.units();
    list.replaceChildren(...days.map((day) => dayItem(day, today, units)));
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
    begin(): AbortSignal {
      reset('Loading the forecast …');
      section.hidden = false;
      return requests.start();
    },
    show(forecast: Forecast, headers: Headers): void {
      reset('');
      days = forecast.days;
      today = dateAt(forecast.timezone, timeOf(headers));
      showDays();
      element('forecast-stale').hidden = !isStale(headers);
      showAttribution('forecast-source', headers);
      const source = element('forecast-source');
      // Usually the same provider has the current weather and the forecast: then one credit is enough.
      source.hidden = source.textContent === element('source').textContent;
    },
    showError: reset,
    hide(): void {
      requests.abort();
      section.hidden = true;
      reset('');
    },
  };
}

/** Creates the card of a day. Screen readers get one sentence instead of the parts of the card. */
function dayItem(day: Day, today: string, units: Units): HTMLElement {
  const { weekday, minimum, maximum, chance, sentence } = dayTexts(day, today, units);
  const card = textElement('div', '', 'day');
  card.title = day.condition;
  card.setAttribute('aria-hidden', 'true');
  const temperatures = textElement('span', minimum);
  temperatures.prepend(textElement('b', maximum), ' ');
  card.append(textElement('span', weekday), iconOf(day.condition), temperatures);
  if (chance !== undefined) card.append(textElement('span', chance, 'chance'));
  const item = document.createElement('li');
  item.append(textElement('span', sentence, 'visually-hidden'), card);
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
