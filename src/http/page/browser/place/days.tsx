import type { Day } from '../state/api.js';
import { Details, formatIfKnown } from './details.js';
import { chanceText, percent, whole, type Formats } from './formats.js';
import { longDate, shortWeekday, timeText } from './date-formats.js';
import { TemperatureGradient } from './temperature-gradient.js';
import { WeatherIcon } from './weather-icon.js';

/** Minimum length of the scale in degrees: small differences look small. */
const MIN_SPAN = 4;

/** Days that are shown at once. Beyond a week, a forecast says little. */
const SHOWN_DAYS = 7;

/** Returns the position of a temperature between the lowest (0) and the highest (1) one. */
type Scale = (celsius: number) => number;

/**
 * The next days: each with a bar from its lowest to its highest temperature, all on one scale.
 * @param props.date at the place; empty if the browser does not know the time zone, which then shows all days
 */
export function DaysSection(props: { days: Day[]; formats: Formats; date: string }) {
  const { days, formats, date } = props;
  const next = days.filter((day) => day.date >= date);
  const lowest = Math.min(...next.map((day) => lowOf(day)));
  const highest = Math.max(...next.map((day) => day.temperature_max));
  const span = Math.max(highest - lowest, MIN_SPAN);
  const scale: Scale = (celsius) => (celsius - lowest) / span;
  return (
    <section class="days" aria-labelledby="days-title">
      <h2 id="days-title">Next days</h2>
      {rowsOf(next.slice(0, SHOWN_DAYS))}
      {next.length > SHOWN_DAYS && (
        <details class="more">
          <summary>More days</summary>
          {rowsOf(next.slice(SHOWN_DAYS))}
        </details>
      )}
    </section>
  );

  function rowsOf(some: Day[]) {
    return (
      <ul>
        {some.map((day) => (
          <li key={day.date}>
            <DayRow day={day} isToday={day.date === date} scale={scale} formats={formats} />
          </li>
        ))}
      </ul>
    );
  }
}

/** The low of a day, or its high if the provider does not have the low. */
const lowOf = (day: Day) => day.temperature_min ?? day.temperature_max;

/** The row of a day, which opens its details. Screen readers get one sentence instead of the parts of the row. */
function DayRow(props: { day: Day; isToday: boolean; scale: Scale; formats: Formats }) {
  const { day, isToday, scale, formats } = props;
  const { temperature_min: minimum, temperature_max: maximum } = day;
  const chance = day.precipitation_probability;
  return (
    <details>
      <summary>
        <span class="visually-hidden">
          {`${isToday ? 'Today, ' : ''}${longDate(day.date)}: `}
          <bdi lang={formats.language}>{day.condition}</bdi>
          {`, ${minimum === null ? 'up' : formats.degrees(minimum)} to ${formats.temperature(maximum)}`}
          {chance !== null && `, ${percent(chance)} chance of precipitation`}.
        </span>
        <span class="day" aria-hidden="true">
          <span class="weekday">{isToday ? 'Today' : shortWeekday(day.date)}</span>
          <span class="sky">
            <WeatherIcon code={day.weather_code} />
            <span class="chance">{chanceText(chance)}</span>
          </span>
          <span class="faint">{formatIfKnown(minimum, formats.degrees)}</span>
          <TemperatureBar day={day} scale={scale} />
          <b>{formats.degrees(maximum)}</b>
        </span>
      </summary>
      <Details
        details={[
          ['Weather', <bdi lang={formats.language}>{day.condition}</bdi>],
          ['Precipitation', formatIfKnown(day.precipitation, formats.amount)],
          // A day without fresh snow has no row for it.
          ['Fresh snow', day.snowfall ? formats.depth(day.snowfall) : null],
          ['Chance', formatIfKnown(chance, percent)],
          ['Wind', formatIfKnown(day.wind_speed_max, (speed) => `up to ${formats.speed(speed)}`)],
          ['Gusts', formatIfKnown(day.wind_gusts_max, (speed) => `up to ${formats.speed(speed)}`)],
          ['UV index', formatIfKnown(day.uv_index_max, (index) => `up to ${whole(index)}`)],
          ['Sunrise', formatIfKnown(day.sunrise, timeText)],
          ['Sunset', formatIfKnown(day.sunset, timeText)],
          ['Length of day', formatIfKnown(day.day_length, lengthText)],
          ['Moon', formatIfKnown(day.moon_phase, moonName)],
          ['Moonrise', formatIfKnown(day.moonrise, timeText)],
          ['Moonset', formatIfKnown(day.moonset, timeText)],
        ]}
      />
    </details>
  );
}

/** Formats a length of time: `8 h 57 min`. */
function lengthText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const MOON_NAMES = [
  'New moon',
  'Waxing crescent',
  'First quarter',
  'Waxing gibbous',
  'Full moon',
  'Waning gibbous',
  'Last quarter',
  'Waning crescent',
];

/** Returns the name of a phase of the moon. @param phase from 0 to 1, new moon at both ends */
const moonName = (phase: number) => MOON_NAMES[Math.round(phase * 8) % 8] ?? '';

/** A line with round ends, which is visible even if both temperatures are equal. */
function TemperatureBar({ day, scale }: { day: Day; scale: Scale }) {
  const at = (celsius: number) => `${(scale(celsius) * 100).toFixed(1)}%`;
  const id = `bar-${day.date}`;
  const ends = { x1: at(lowOf(day)), x2: at(day.temperature_max) };
  return (
    <svg class="bar">
      <TemperatureGradient id={id} axis="x" at={at} />
      <line class="scale" x1="0" x2="100%" y1="4" y2="4" />
      <line {...ends} y1="4" y2="4" stroke={`url(#${id})`} />
    </svg>
  );
}
