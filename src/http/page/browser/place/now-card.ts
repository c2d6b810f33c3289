/** The card with the present weather. */
import { isStale } from '../service/api-client.js';
import { nameOf, type Query } from '../service/queries.js';
import type { ApiResponse, Conditions, Day } from '../service/weather-api.js';
import { ageText } from '../messages/status-texts.js';
import { create, createSvg, element } from '../view/elements.js';
import type { UnitForm } from '../view/unit-form.js';
import { showAttribution } from './attribution.js';
import { factsOf, type Fact } from './facts.js';
import { clockTime, timeAt } from './local-time.js';
import { namesOf, type Names } from './names.js';
import { iconClasses, tintOf } from './sky.js';

/** Milliseconds between two updates of the age and of the local time. */
const UPDATE_INTERVAL_MS = 15_000;
const TEXTS = [
  ...['card-details', 'temperature', 'condition', 'feels-like', 'local-time', 'sun', 'facts'],
  ...['age', 'source', 'announcement'],
];

interface Shown extends ApiResponse<Conditions> {
  names: Names;
}

export function createNowCard(unitForm: UnitForm) {
  const heading = element('card-place');
  let shown: Shown | undefined;
  /** Milliseconds since the epoch, by the clock of the browser. */
  let fetchedAt = Date.now();

  unitForm.onChange(showValues);
  setInterval(showTimes, UPDATE_INTERVAL_MS);

  /** Shows what depends on the units. */
  function showValues(): void {
    if (!shown) return;
    const { body, names } = shown;
    const units = unitForm.units();
    const temperature = units.temperature(body.temperature);
    const feelsLike = body.feels_like === null ? '' : units.temperature(body.feels_like);
    element('temperature').textContent = temperature;
    element('feels-like').textContent = feelsLike && `Feels like ${feelsLike}`;
    element('facts').replaceChildren(
      ...factsOf(body, units).map((fact) => factItem(fact, body.wind_direction)),
    );
    document.title = `${temperature} ${names.heading}`;
  }

  function showTimes(): void {
    if (!shown) return;
    const time = timeAt(shown.body.place.timezone, Date.now());
    element('local-time').textContent = time && `${time} local time`;
    element('age').textContent = ageText(Date.now() - fetchedAt);
  }

  function clear(): void {
    shown = undefined;
    for (const id of TEXTS) element(id).replaceChildren();
    element('icon').setAttribute('class', iconClasses(null));
    element('stale').hidden = true;
    delete document.body.dataset['sky'];
    document.title = 'Weather';
  }

  return {
    heading,
    /** Shows only the name of a place, until its weather is known. */
    showBlank(query: Query): void {
      clear();
      heading.textContent = nameOf(query);
    },
    hide: clear,
    show(query: Query, { body, headers }: ApiResponse<Conditions>): void {
      const names = namesOf(query, body.location, body.place);
      shown = { body, headers, names };
      fetchedAt = Date.now() - Number(headers.get('Age')) * 1000;
      heading.textContent = names.heading;
      element('card-details').textContent = names.details;
      const condition = body.weather_code === null ? '' : body.condition;
      element('condition').textContent = condition;
      element('sun').replaceChildren();
      element('icon').setAttribute('class', iconClasses(body.weather_code, body.is_day));
      document.body.dataset['sky'] = tintOf(body.weather_code, body.is_day);
      element('stale').hidden = !isStale(headers);
      showAttribution('source', headers, body.attribution);
      showValues();
      showTimes();
      const facts = [element('temperature').textContent, condition].filter(Boolean);
      element('announcement').textContent = `${names.heading}: ${facts.join(', ')}.`;
    },
    /** Shows when the sun rises and sets today, as far as that is known. */
    showSun({ sunrise, sunset }: Pick<Day, 'sunrise' | 'sunset'>): void {
      const rise = sunrise === null ? [] : [`Sunrise ${clockTime(sunrise)}`];
      const set = sunset === null ? [] : [`Sunset ${clockTime(sunset)}`];
      element('sun').textContent = [...rise, ...set].join(' · ');
    },
  };
}

function factItem({ name, value, detail }: Fact, direction: number | null): HTMLElement {
  const description = create('dd', value);
  if (detail !== undefined) {
    const arrow = direction === null ? [] : [arrowOf(direction)];
    description.append(create('span', [...arrow, detail]));
  }
  return create('div', [create('dt', name), description]);
}

/** Creates an arrow in the direction in which the wind blows. @param from degrees that it comes from */
function arrowOf(from: number): Element {
  const shape = { d: 'M8 14V3M4 7l4-4 4 4', transform: `rotate(${(from + 180) % 360} 8 8)` };
  const picture = { viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'arrow' };
  return createSvg('svg', picture, [createSvg('path', shape)]);
}
