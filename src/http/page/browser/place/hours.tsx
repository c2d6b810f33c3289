import type { ComponentChildren } from 'preact';
import type { Hour } from '../state/api.js';
import { formatIfKnown } from './details.js';
import { chanceText, type Formats } from './formats.js';
import { longDate, shortDate, shortTime } from './date-formats.js';
import { TemperatureGradient } from './temperature-gradient.js';
import { WeatherIcon } from './weather-icon.js';

const MS_PER_HOUR = 3_600_000;
const dateOf = (hour?: Hour) => hour?.time.slice(0, 10) ?? '';

/**
 * The next hours: a table above a chart. On a screen, each row of the table is a column, which is as wide as its hour in
 * the chart. @param props.now milliseconds since the epoch
 */
export function HoursSection(props: { hours: Hour[]; formats: Formats; now: number }) {
  const { formats, now } = props;
  const hours = props.hours.filter(({ time }) => Date.parse(time) + MS_PER_HOUR > now);
  if (hours.length === 0) return null;
  const past = (now - Date.parse(hours[0]?.time ?? '')) / MS_PER_HOUR;
  const columns = columnsOf(formats).filter(([, valueOf]) => hours.some(valueOf));
  return (
    <section class="hours" aria-labelledby="hours-title">
      <h2 id="hours-title">Next hours</h2>
      <div class="strip" role="group" aria-label="Next hours" tabIndex={0}>
        <div class="timeline" style={{ '--hours': hours.length }}>
          <div class="dates" aria-hidden="true">
            {daysOf(hours).map(({ date, length }) => (
              <span key={date} style={{ '--length': length }}>
                <b>{shortDate(date)}</b>
              </span>
            ))}
          </div>
          <table>
            <thead class="visually-hidden">
              <tr>
                <th scope="col">Time</th>
                {columns.map(([title]) => (
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
                    {dateOf(hour) !== dateOf(hours[row - 1]) && (
                      <span class="visually-hidden">{longDate(hour.time)}, </span>
                    )}
                    {shortTime(hour.time)}
                  </th>
                  {columns.map(([title, valueOf]) => (
                    <td key={title}>{valueOf(hour)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <HoursChart hours={hours} now={past} />
        </div>
      </div>
    </section>
  );
}

/** Returns the columns of the table. What is not worth reading is empty, and a column without any text is left out. */
const columnsOf = (
  formats: Formats,
): [title: string, valueOf: (hour: Hour) => ComponentChildren][] => [
  [
    'Weather',
    (hour) =>
      hour.weather_code !== null && (
        <>
          <WeatherIcon code={hour.weather_code} isDay={hour.is_day} />
          <bdi class="visually-hidden" lang={formats.language}>
            {hour.condition}
          </bdi>
        </>
      ),
  ],
  ['Temperature', ({ temperature }) => <b>{formats.degrees(temperature)}</b>],
  ['Chance of precipitation', (hour) => chanceText(hour.precipitation_probability)],
  ['Precipitation', ({ precipitation: mm }) => (mm ? formats.amount(mm) : '')],
  ['Wind', ({ wind_speed: speed }) => formatIfKnown(speed, formats.speed)],
];

/** Returns the dates of some hours, each with its number of hours. An hour belongs to the date at its start. */
function daysOf(hours: Hour[]) {
  const starts = hours.flatMap((hour, index) =>
    dateOf(hour) === dateOf(hours[index - 1]) ? [] : [index],
  );
  return starts.map((start, index) => ({
    date: dateOf(hours[start]),
    length: (starts[index + 1] ?? hours.length) - start,
  }));
}

const HEIGHT = 100;
/** Distance of the highest and of the lowest point of the curve from the top. */
const CURVE_TOP = 20;
const CURVE_BOTTOM = 70;
/** Minimum number of degrees between top and bottom: small differences look small. */
const MIN_SPAN = 6;
/** Minimum value of the highest bar in millimeters: drizzle looks like drizzle. */
const MIN_AMOUNT = 4;
const MAX_BAR = 45;

/**
 * The chart of the next hours: a curve of temperatures above bars of precipitation. An hour is a unit of the x axis.
 * @param props.now hours since the start of the chart
 */
function HoursChart({ hours, now }: { hours: Hour[]; now: number }) {
  const temperatures = hours.map(({ temperature }) => temperature);
  const highest = Math.max(...temperatures);
  const span = Math.max(highest - Math.min(...temperatures), MIN_SPAN);
  const yOf = (celsius: number) =>
    CURVE_TOP + ((highest - celsius) / span) * (CURVE_BOTTOM - CURVE_TOP);
  const points = temperatures.map((celsius, index) => `${index},${yOf(celsius)}`);
  const most = Math.max(MIN_AMOUNT, ...hours.map(({ precipitation }) => precipitation ?? 0));
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${hours.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <TemperatureGradient id="hours-gradient" axis="y" at={yOf} />
      {hours.map(({ is_day: isDay, precipitation }, index) => {
        const height = ((precipitation ?? 0) / most) * MAX_BAR;
        return (
          <>
            {!isDay && <rect class="night" x={index} width="1" height={HEIGHT} />}
            <rect class="rain" x={index + 0.1} y={HEIGHT - height} width="0.8" height={height} />
          </>
        );
      })}
      <polyline class="curve" points={points.join(' ')} stroke="url(#hours-gradient)" />
      <path class="present" d={`M${now} 0V${HEIGHT}`} />
    </svg>
  );
}
