import type { ComponentChildren } from 'preact';
import type { Hour } from '../state/api.js';
import { t } from '../state/language.js';
import { setState } from '../state/page-state.js';
import { windFrom } from './details.js';
import type { Formats } from './formats.js';
import { hour12, longDate, shortDate, shortTime } from './date-formats.js';
import { TemperatureGradient } from './temperature-gradient.js';
import { WeatherIcon } from './weather-icon.js';

const MS_PER_HOUR = 3_600_000;
const dateOf = (hour?: Hour) => hour?.time.slice(0, 10) ?? '';

interface HoursSectionProps {
  hours: Hour[];
  /** Milliseconds since the epoch. */
  now: number;
  /** Index of the first hour that is not scrolled away. */
  firstHour: number;
  formats: Formats;
  /** The language of the descriptions (BCP 47). */
  language: string;
}

/**
 * The next hours: a table above a chart. On a screen, each row of the table is a column, which is as wide as its hour in
 * the chart.
 */
export function HoursSection({ now, firstHour, formats, language, ...props }: HoursSectionProps) {
  const hours = props.hours.filter(({ time }) => Date.parse(time) + MS_PER_HOUR > now);
  if (hours.length === 0) return null;
  const past = (now - Date.parse(hours[0]?.time ?? '')) / MS_PER_HOUR;
  const columns = columnsOf(formats, language).filter(([, valueOf]) => hours.some(valueOf));
  return (
    <section class="hours" aria-labelledby="hours-title">
      <h2 id="hours-title">{t.hours}</h2>
      <div class="strip" role="group" aria-label={t.hours} tabIndex={0} onScroll={noteScroll}>
        <div class={hour12 ? 'timeline wide' : 'timeline'} style={{ '--hours': hours.length }}>
          <div class="dates" aria-hidden="true">
            {daysOf(hours).map(({ date, length }) => (
              <span key={date} style={{ '--length': length }}>
                <b>{shortDate(date)}</b>
              </span>
            ))}
          </div>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.time}</th>
                {columns.map(([title, , name]) => (
                  <th key={title} scope="col" class={name}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {hours.map((hour, row) => {
                const isFirst = dateOf(hour) !== dateOf(hours[row - 1]);
                return (
                  <tr key={hour.time} data-date={isFirst ? dateOf(hour) : undefined}>
                    <th scope="row">
                      {isFirst && <span class="visually-hidden">{longDate(hour.time)}, </span>}
                      {shortTime(hour.time)}
                    </th>
                    {columns.map(([title, valueOf, name]) => (
                      <td key={title} class={name}>
                        {valueOf(hour)}
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
          <HoursChart hours={hours} now={past} firstHour={firstHour} />
        </div>
      </div>
    </section>
  );
}

/** Milliseconds after the last movement of the strip until the chart has the scale of its hours. */
const SCROLL_MS = 120;
let scrolling: ReturnType<typeof setTimeout> | undefined;

function noteScroll({ currentTarget: strip }: { currentTarget: HTMLElement }): void {
  clearTimeout(scrolling);
  scrolling = setTimeout(() => {
    const width = strip.querySelector<HTMLElement>('tbody tr')?.offsetWidth ?? 1;
    // In a language that is written from right to left, positions are negative.
    setState({ firstHour: Math.round(Math.abs(strip.scrollLeft) / width) });
  }, SCROLL_MS);
}

/** Moves the strip to the first hour of a date. */
export function showHoursOf(date: string): void {
  const hour = document.querySelector(`[data-date="${date}"]`);
  const strip = hour?.closest('.strip');
  const titles = strip?.querySelector('thead');
  if (!hour || !strip || !titles) return;
  const isRtl = document.documentElement.dir === 'rtl';
  const start = (element: Element) => element.getBoundingClientRect()[isRtl ? 'right' : 'left'];
  const end = titles.getBoundingClientRect()[isRtl ? 'left' : 'right'];
  strip.scrollLeft += start(hour) - end;
}

/**
 * Returns the columns of the table: their titles with units, the values, and classes. What is not worth reading is empty,
 * and a column without any text is left out.
 */
const columnsOf = (
  { degrees, chance, amount, speed }: Formats,
  language: string,
): [title: string, valueOf: (hour: Hour) => ComponentChildren, name: string][] => [
  [
    t.title,
    (hour) =>
      hour.weather_code !== null && (
        <>
          <WeatherIcon code={hour.weather_code} isDay={hour.is_day} />
          <bdi class="visually-hidden" lang={language}>
            {hour.condition}
          </bdi>
        </>
      ),
    'sky',
  ],
  [t.temperature, ({ temperature }) => <b>{degrees(temperature)}</b>, 'degrees'],
  [
    t.feelsLike,
    ({ feels_like: feelsLike }) => (feelsLike === null ? '' : degrees(feelsLike)),
    'feels',
  ],
  [t.chance, (hour) => chance(hour.precipitation_probability), 'chance'],
  [
    `${t.precipitation} (${amount.unit})`,
    ({ precipitation: mm }) => (mm ? amount.number(mm) : ''),
    'amount',
  ],
  [
    `${t.wind} (${speed.unit})`,
    (hour) =>
      hour.wind_speed !== null && (
        <>
          <WindArrow degrees={hour.wind_direction} /> {speed.number(hour.wind_speed)}
        </>
      ),
    'wind',
  ],
];

/** An arrow in the direction in which the wind blows. */
function WindArrow({ degrees }: { degrees: number | null }) {
  if (degrees === null) return null;
  return (
    <>
      <svg class="arrow" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M8 2v12M4 10l4 4 4-4" transform={`rotate(${degrees} 8 8)`} />
      </svg>
      <span class="visually-hidden">{windFrom(degrees)}</span>
    </>
  );
}

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
const CURVE_TOP = 15;
const CURVE_BOTTOM = 75;
/** Minimum number of degrees between top and bottom: small differences look small. */
const MIN_SPAN = 4;
/** Minimum value of the highest bar in millimeters: drizzle looks like drizzle. */
const MIN_AMOUNT = 4;
const MAX_BAR = 45;
/** Hours whose temperatures determine the scale of the curve, so that the curve of a day is not flat. */
const SCALED_HOURS = 24;

/** The chart of the next hours: a curve of temperatures above bars of precipitation. An hour is a unit of the x axis. */
function HoursChart(props: {
  hours: Hour[];
  /** Hours since the start. */ now: number;
  firstHour: number;
}) {
  const { hours, now, firstHour } = props;
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
      <path class="present" d={`M${now} 0V${HEIGHT}`} />
    </svg>
  );
}
