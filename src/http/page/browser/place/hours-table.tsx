import type { ComponentChildren } from 'preact';
import type { Hour } from '../state/api.js';
import { known } from './details.js';
import { percent, type Formats } from './formats.js';
import { longDate, timeText } from './local-time.js';

/** The next hours as a table, for screen readers and printers. A column without any value is left out. */
export function HoursTable({ hours, formats }: { hours: Hour[]; formats: Formats }) {
  const { amount, amountUnit, language, speed, temperature } = formats;
  const amountText = (mm: number) => `${amount(mm)} ${amountUnit}`;
  const columns: [string, (hour: Hour) => ComponentChildren][] = [
    ['Weather', (hour) => <bdi lang={language}>{hour.condition}</bdi>],
    ['Temperature', (hour) => temperature(hour.temperature)],
    ['Precipitation', (hour) => known(hour.precipitation, amountText)],
    ['Chance of precipitation', (hour) => known(hour.precipitation_probability, percent)],
    ['Wind', (hour) => known(hour.wind_speed, speed)],
  ];
  const shown = columns.filter(([, valueOf]) => hours.some((hour) => valueOf(hour) !== null));
  return (
    <div class="hours-table visually-hidden">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {shown.map(([title]) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((hour, row) => (
            <tr key={hour.time}>
              <th scope="row">
                {isSameDate(hour, hours[row - 1]) ? '' : `${longDate(hour.time)}, `}
                {timeText(hour.time)}
              </th>
              {shown.map(([title, valueOf]) => (
                <td key={title}>{valueOf(hour)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isSameDate = (hour: Hour, before?: Hour) =>
  hour.time.slice(0, 10) === before?.time.slice(0, 10);
