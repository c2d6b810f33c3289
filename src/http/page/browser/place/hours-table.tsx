import type { ComponentChildren } from 'preact';
import type { Hour } from '../state/api.js';
import { percent, type Formats } from './formats.js';
import { longDate } from './local-time.js';

/** The columns by their titles. A value that the provider lacks is false. */
const COLUMNS: readonly [string, (hour: Hour, formats: Formats) => ComponentChildren][] = [
  ['Weather', ({ condition }, { language }) => <bdi lang={language}>{condition}</bdi>],
  ['Temperature', ({ temperature }, formats) => formats.temperature(temperature)],
  [
    'Precipitation',
    ({ precipitation: mm }, { amount, amountUnit }) => mm !== null && `${amount(mm)} ${amountUnit}`,
  ],
  [
    'Chance of precipitation',
    ({ precipitation_probability: chance }) => chance !== null && percent(chance),
  ],
  ['Wind', ({ wind_speed: speed }, formats) => speed !== null && formats.speed(speed)],
];

/** The next hours as a table, for screen readers and printers. A column without any value is left out. */
export function HoursTable({ hours, formats }: { hours: Hour[]; formats: Formats }) {
  const columns = COLUMNS.map(([title, valueOf]) => ({
    title,
    values: hours.map((hour) => valueOf(hour, formats)),
  })).filter(({ values }) => values.some(Boolean));
  return (
    <div class="hours-table visually-hidden">
      <table>
        <thead>
          <tr>
            {['Time', ...columns.map(({ title }) => title)].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map(({ time }, row) => (
            <tr key={time}>
              <th scope="row">{timeText(time, hours[row - 1]?.time, formats)}</th>
              {columns.map(({ title, values }) => (
                <td key={title}>{values[row]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the time, after the date if the hour before has another date. */
function timeText(time: string, before: string | undefined, formats: Formats): string {
  const isSameDate = before?.slice(0, 10) === time.slice(0, 10);
  return isSameDate ? formats.time(time) : `${longDate(time)}, ${formats.time(time)}`;
}
