/** The next hours as a table, for screen readers. */
import type { Hour } from '../service/weather-api.js';
import { create } from '../view/elements.js';
import type { Units } from '../view/units.js';
import { clockTime, longDate } from './local-time.js';

/** The columns by their titles. A value that the provider lacks is null. */
const COLUMNS: readonly (readonly [string, (hour: Hour, units: Units) => string | null])[] = [
  ['Weather', ({ condition }) => condition],
  ['Temperature', ({ temperature }, units) => units.temperature(temperature)],
  [
    'Precipitation',
    ({ precipitation: mm }, units) =>
      mm === null ? null : `${units.amount(mm)} ${units.amountUnit}`,
  ],
  [
    'Chance of precipitation',
    ({ precipitation_probability: chance }) => (chance === null ? null : `${chance} %`),
  ],
  ['Wind', ({ wind_speed: speed }, units) => (speed === null ? null : units.speed(speed))],
];

/** Creates the table. A column without any value is left out. */
export function createHoursTable(hours: Hour[], units: Units): HTMLElement {
  const columns = COLUMNS.map(([title, valueOf]) => ({
    title,
    values: hours.map((hour) => valueOf(hour, units)),
  })).filter(({ values }) => values.some((value) => value !== null));
  const head = create('tr', [
    headerCell('col', 'Time'),
    ...columns.map(({ title }) => headerCell('col', title)),
  ]);
  const rows = hours.map((hour, index) =>
    create('tr', [
      headerCell('row', timeOf(hour, hours[index - 1])),
      ...columns.map(({ values }) => create('td', values[index] ?? '')),
    ]),
  );
  return create('table', [create('thead', [head]), create('tbody', rows)]);
}

/** Returns the time, after the date if the hour before has another date. */
function timeOf({ time }: Hour, before: Hour | undefined): string {
  const isSameDate = before?.time.slice(0, 10) === time.slice(0, 10);
  return isSameDate ? clockTime(time) : `${longDate(time)}, ${clockTime(time)}`;
}

function headerCell(scope: string, text: string): HTMLElement {
  const cell = create('th', text);
  cell.setAttribute('scope', scope);
  return cell;
}
