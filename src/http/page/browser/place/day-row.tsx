import type { Day } from '../state/api.js';
import type { Scale } from './days.js';
import { detail, Details, type Detail } from './details.js';
import { chanceText, percent, whole, type Formats } from './formats.js';
import { longDate, shortWeekday } from './local-time.js';
import { TemperatureGradient } from './temperature-gradient.js';
import { WeatherIcon } from './weather-icon.js';

interface DayRowProps {
  day: Day;
  isToday: boolean;
  scale: Scale;
  formats: Formats;
}

/** The row of a day, which opens its details. Screen readers get one sentence instead of the parts of the row. */
export function DayRow({ day, isToday, scale, formats }: DayRowProps) {
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
          <span class="minimum">{formats.degrees(minimum)}</span>
          <TemperatureBar day={day} scale={scale} />
          <b>{formats.degrees(maximum)}</b>
        </span>
      </summary>
      <Details details={detailsOf(day, formats)} />
    </details>
  );
}

/** Returns the details of a day. What is null is left out. */
function detailsOf(day: Day, formats: Formats): Detail[] {
  const { amount, amountUnit, depth, speed, time, language } = formats;
  // In summer, nobody wants to read that no snow falls.
  const snow = day.snowfall === 0 ? null : day.snowfall;
  return [
    ['Weather', <bdi lang={language}>{day.condition}</bdi>],
    ...detail('Precipitation', day.precipitation, (mm) => `${amount(mm)} ${amountUnit}`),
    ...detail('Fresh snow', snow, depth),
    ...detail('Chance', day.precipitation_probability, percent),
    ...detail('Wind', day.wind_speed_max, (value) => `up to ${speed(value)}`),
    ...detail('Gusts', day.wind_gusts_max, (value) => `up to ${speed(value)}`),
    ...detail('UV index', day.uv_index_max, (value) => `up to ${whole(value)}`),
    ...detail('Sunrise', day.sunrise, time),
    ...detail('Sunset', day.sunset, time),
    ...detail('Length of day', day.day_length, lengthText),
    ...detail('Moon', day.moon_phase, moonName),
    ...detail('Moonrise', day.moonrise, time),
    ...detail('Moonset', day.moonset, time),
  ];
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
const moonName = (phase: number) => MOON_NAMES[Math.round(phase * 8) % 8];

/** A line with round ends, which is visible even if both temperatures are equal. */
function TemperatureBar({ day, scale }: { day: Day; scale: Scale }) {
  const at = (celsius: number) => `${(scale(celsius) * 100).toFixed(1)}%`;
  const id = `bar-${day.date}`;
  const ends = { x1: at(day.temperature_min), x2: at(day.temperature_max) };
  return (
    <svg class="bar">
      <defs>
        <TemperatureGradient id={id} axis="x" at={at} />
      </defs>
      <line class="scale" x1="0" x2="100%" y1="4" y2="4" />
      <line {...ends} y1="4" y2="4" stroke={`url(#${id})`} />
    </svg>
  );
}
