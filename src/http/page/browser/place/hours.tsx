import type { ComponentChildren } from 'preact';
import type { Hour } from '../state/api.js';
import { t } from '../state/language.js';
import { getState, setState } from '../state/page-state.js';
import { windFrom } from './details.js';
import { formatIfKnown, formats } from './formats.js';
import { longDate, shortDate, shortTime, shortWeekday } from './date-formats.js';
import { TemperatureGradient } from './temperature-gradient.js';
import { WeatherIcon } from './weather-icon.js';

const MS_PER_HOUR = 3_600_000;
/** Characters of a time such as 13:00. A clock with twelve hours needs wider columns. */
const SHORT_TIME = 5;

/**
 * The next hours: a table above a chart. On a screen, each row of the table is a column, which is
 * as wide as its hour in the chart.
 */
export function HoursSection(props: { hours: Hour[] }) {
  const { now } = getState();
  const hours = props.hours.filter(({ time }) => Date.parse(time) + MS_PER_HOUR > now);
  if (hours.length === 0) return null;
  const columns = columnsOf().filter(([, valueOf]) => hours.some(valueOf));
  const isWide = hours.some(({ time }) => shortTime(time).length > SHORT_TIME);
  return (
    <section class="hours" aria-labelledby="hours-title">
      <h2 id="hours-title">{t.hours}</h2>
      <div class="strip" role="group" aria-label={t.hours} tabIndex={0} onScroll={noteScroll}>
        <div class={isWide ? 'timeline wide' : 'timeline'} style={{ '--hours': hours.length }}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.time}</th>
                {columns.map(([title]) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            {[...byDate(hours)].map(([date, some]) => (
              <tbody key={date} id={idOf(date)}>
                <tr class="date">
                  <th scope="rowgroup" colSpan={columns.length + 1} aria-label={longDate(date)}>
                    {some.length > 1 ? shortDate(date) : shortWeekday(date)}
                  </th>
                </tr>
                {some.map((hour) => (
                  <tr key={hour.time}>
                    <th scope="row">{shortTime(hour.time)}</th>
                    {columns.map(([title, valueOf, name]) => (
                      <td key={title} class={name}>
                        {valueOf(hour)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
          <HoursChart hours={hours} />
        </div>
      </div>
    </section>
  );
}

/** An hour belongs to the date at its start. */
function byDate(hours: Hour[]): Map<string, Hour[]> {
  const dates = new Map<string, Hour[]>();
  for (const hour of hours) {
    const date = hour.time.slice(0, 10);
    dates.set(date, [...(dates.get(date) ?? []), hour]);
  }
  return dates;
}

const idOf = (date: string) => `hours-${date}`;

/** Returns the place at which an element starts on the screen: its left side; right in Arabic. */
const startOf = (element: Element) =>
  element.getBoundingClientRect()[document.documentElement.dir === 'rtl' ? 'right' : 'left'];

/** Milliseconds after the last movement of the strip until the chart has the scale of its hours. */
const SCROLL_MS = 120;
let scrolling: ReturnType<typeof setTimeout> | undefined;

function noteScroll({ currentTarget: strip }: { currentTarget: HTMLElement }): void {
  clearTimeout(scrolling);
  scrolling = setTimeout(() => {
    const width = strip.querySelector<HTMLElement>('.date + tr')?.offsetWidth ?? 1;
    // In a language that is written from right to left, positions are negative.
    setState({ firstHour: Math.round(Math.abs(strip.scrollLeft) / width) });
  }, SCROLL_MS);
}

/** Moves the strip to the first hour of a date. */
export function showHoursOf(date: string): void {
  const hours = document.getElementById(idOf(date));
  const strip = hours?.closest('.strip');
  const first = strip?.querySelector('tbody');
  if (hours && strip && first) strip.scrollLeft = startOf(hours) - startOf(first);
}

type Column = [title: string, valueOf: (hour: Hour) => ComponentChildren, name: string];

/**
 * Returns the columns of the table: their titles with units, the values, and classes. A value that
 * is not worth reading is empty. A column with only empty values is left out.
 */
function columnsOf(): Column[] {
  const { degrees, chance, amount, speed } = formats();
  return [
    [t.title, (hour) => hour.weather_code !== null && <Sky hour={hour} />, 'sky'],
    [t.temperature, (hour) => <b>{degrees(hour.temperature)}</b>, ''],
    [t.feelsLike, ({ feels_like: felt }) => (felt === null ? '' : degrees(felt)), 'faint'],
    [t.chance, (hour) => chance(hour.precipitation_probability), 'water'],
    [
      `${t.precipitation} (${amount.unit})`,
      ({ precipitation: mm }) => (mm ? amount.number(mm) : ''),
      'water',
    ],
    [`${t.wind} (${speed.unit})`, (hour) => hour.wind_speed !== null && <Wind hour={hour} />, ''],
  ];
}

function Sky({ hour }: { hour: Hour }) {
  return (
    <>
      <WeatherIcon code={hour.weather_code} isDay={hour.is_day} />
      <span class="visually-hidden">{hour.condition}</span>
    </>
  );
}

/** The speed of the wind, with an arrow in the direction in which it blows. */
function Wind({ hour: { wind_speed: speed, wind_direction: degrees } }: { hour: Hour }) {
  return (
    <>
      {degrees !== null && (
        <svg class="arrow" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 2v12M4 10l4 4 4-4" transform={`rotate(${degrees} 8 8)`} />
        </svg>
      )}
      <span class="visually-hidden">{windFrom(degrees)}</span>{' '}
      {formatIfKnown(speed, formats().speed.number)}
    </>
  );
}

const HEIGHT = 100;
/** Distance of the highest and of the lowest point of the curve from the top. */
const CURVE_TOP = 15;
const CURVE_BOTTOM = 75;
/** Minimum number of degrees between top and bottom: small differences look small. */
const MIN_SPAN = 4;
/** Minimum value of the highest bar in millimeters: drizzle looks like drizzle. */
const MIN_AMOUNT = 4;
const MAX_BAR = 45;
/** Hours whose temperatures determine the curve's scale, so that the curve of a day is not flat. */
const SCALED_HOURS = 24;

/** The next hours: a curve of temperatures above bars of precipitation. The x axis is in hours. */
function HoursChart({ hours }: { hours: Hour[] }) {
  const { firstHour } = getState();
  const start = Math.min(firstHour, Math.max(hours.length - SCALED_HOURS, 0));
  const visible = hours.slice(start, start + SCALED_HOURS).map(({ temperature }) => temperature);
  const highest = Math.max(...visible);
  const span = Math.max(highest - Math.min(...visible), MIN_SPAN);
  const yOf = (celsius: number) =>
    CURVE_TOP + ((highest - celsius) / span) * (CURVE_BOTTOM - CURVE_TOP);
  const points = hours.map(({ temperature }, index) => `${index},${yOf(temperature)}`);
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
            <rect class="amount" x={index + 0.1} y={HEIGHT - height} width="0.8" height={height} />
          </>
        );
      })}
      <polyline class="curve" points={points.join(' ')} stroke="url(#hours-gradient)" />
    </svg>
  );
}
