import type { Hour } from '../state/api.js';
import type { Formats } from './formats.js';
import { longDate } from './local-time.js';

/** The columns by their titles. A value that the provider lacks is null. */
const COLUMNS: readonly (readonly [string, (hour: Hour, formats: Formats) => string | null])[] = [
  ['Weather', ({ condition }) => condition],
  ['Temperature', ({ temperature }, formats) => formats.temperature(temperature)],
  [
    'Precipitation',
    ({ precipitation: mm }, { amount, amountUnit }) =>
      mm === null ? null : `${amount(mm)} ${amountUnit}`,
  ],
  [
    'Chance of precipitation',
    ({ precipitation_probability: chance }) => (chance === null ? null : `${chance} %`),
  ],
  ['Wind', ({ wind_speed: speed }, formats) => (speed === null ? null : formats.speed(speed))],
];

/** The next hours as a table, for screen readers and printers. A column without any value is left out. */
export function HoursTable({ hours, formats }: { hours: Hour[]; formats: Formats }) {
  const columns = COLUMNS.map(([title, valueOf]) => ({
    title,
    values: hours.map((hour) => valueOf(hour, formats)),
  })).filter(({ values }) => values.some((value) => value !== null));
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
