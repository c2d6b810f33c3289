import type { Day } from '../state/api.js';
import type { Scale } from './days.js';
import { Details, known } from './details.js';
import { chanceText, percent, whole, type Formats } from './formats.js';
import { longDate, shortWeekday, timeText } from './local-time.js';
import { TemperatureGradient } from './temperature-gradient.js';
import { WeatherIcon } from './weather-icon.js';

/** The row of a day, which opens its details. Screen readers get one sentence instead of the parts of the row. */
export function DayRow(props: { day: Day; isToday: boolean; scale: Scale; formats: Formats }) {
  const { day, isToday, scale, formats } = props;
  const { temperature_min: minimum, temperature_max: maximum } = day;
  const chance = day.precipitation_probability;
  return (
    <details>
      <summary>
        <span class="visually-hidden">
          {`${isToday ? 'Today, ' : ''}${longDate(day.date)}: `}
          <bdi lang={formats.language}>{day.condition}</bdi>
          {`, ${formats.degrees(minimum)} to ${formats.temperature(maximum)}`}
          {chance !== null && `, ${percent(chance)} chance of precipitation`}.
        </span>
        <span class="day" aria-hidden="true">
          <span class="weekday">{isToday ? 'Today' : shortWeekday(day.date)}</span>
          <span class="sky">
            <WeatherIcon code={day.weather_code} />
            <span class="chance">{chanceText(chance)}</span>
          </span>
          <span class="faint">{formats.degrees(minimum)}</span>
          <TemperatureBar day={day} scale={scale} />
          <b>{formats.degrees(maximum)}</b>
        </span>
      </summary>
      <Details
        details={[
          ['Weather', <bdi lang={formats.language}>{day.condition}</bdi>],
          ['Precipitation', known(day.precipitation, formats.amount)],
          // A day without fresh snow has no row for it.
          ['Fresh snow', day.snowfall ? formats.depth(day.snowfall) : null],
          ['Chance', known(chance, percent)],
          ['Wind', known(day.wind_speed_max, (speed) => `up to ${formats.speed(speed)}`)],
          ['Gusts', known(day.wind_gusts_max, (speed) => `up to ${formats.speed(speed)}`)],
          ['UV index', known(day.uv_index_max, (index) => `up to ${whole(index)}`)],
          ['Sunrise', known(day.sunrise, timeText)],
          ['Sunset', known(day.sunset, timeText)],
          ['Length of day', known(day.day_length, lengthText)],
          ['Moon', known(day.moon_phase, moonName)],
          ['Moonrise', known(day.moonrise, timeText)],
          ['Moonset', known(day.moonset, timeText)],
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
  ...['New moon', 'Waxing crescent', 'First quarter', 'Waxing gibbous'],
  ...['Full moon', 'Waning gibbous', 'Last quarter', 'Waning crescent'],
];

/** Returns the name of a phase of the moon. @param phase from 0 to 1, new moon at both ends */
const moonName = (phase: number) => MOON_NAMES[Math.round(phase * 8) % 8] ?? '';

/** A line with round ends, which is visible even if both temperatures are equal. */
function TemperatureBar({ day, scale }: { day: Day; scale: Scale }) {
  const at = (celsius: number) => `${(scale(celsius) * 100).toFixed(1)}%`;
  const id = `bar-${day.date}`;
  const ends = { x1: at(day.temperature_min), x2: at(day.temperature_max) };
  return (
    <svg class="bar">
      <TemperatureGradient id={id} axis="x" at={at} />
      <line class="scale" x1="0" x2="100%" y1="4" y2="4" />
      <line {...ends} y1="4" y2="4" stroke={`url(#${id})`} />
    </svg>
  );
}
