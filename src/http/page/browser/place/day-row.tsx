import type { Day } from '../state/api.js';
import type { Scale } from './days.js';
import type { Formats } from './formats.js';
import { longDate, shortWeekday } from './local-time.js';
import { TemperatureGradient } from './temperature-gradient.js';
import { WeatherIcon } from './weather-icon.js';

/** Percent below which a chance of precipitation is not worth reading. */
const MIN_CHANCE = 10;

interface DayRowProps {
  day: Day;
  isToday: boolean;
  scale: Scale;
  formats: Formats;
}

/** The row of a day, which opens its details. Screen readers get one sentence instead of the parts of the row. */
export function DayRow({ day, isToday, scale, formats }: DayRowProps) {
  const chance = day.precipitation_probability ?? 0;
  return (
    <details>
      <summary>
        <span class="visually-hidden">{sentenceOf(day, isToday, formats)}</span>
        <span class="day" aria-hidden="true">
          <span class="weekday">{isToday ? 'Today' : shortWeekday(day.date)}</span>
          <WeatherIcon code={day.weather_code} />
          <span class="chance">{chance >= MIN_CHANCE && `${chance} %`}</span>
          <span class="minimum">{formats.degrees(day.temperature_min)}</span>
          <TemperatureBar day={day} scale={scale} />
          <b>{formats.degrees(day.temperature_max)}</b>
        </span>
      </summary>
      <dl>
        {detailsOf(day, formats).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Describes a day in one sentence. */
function sentenceOf(day: Day, isToday: boolean, formats: Formats): string {
  const { temperature_min: minimum, temperature_max: maximum } = day;
  const chance = day.precipitation_probability;
  const facts = [
    day.condition,
    `${formats.degrees(minimum)} to ${formats.temperature(maximum)}`,
    ...(chance === null ? [] : [`${chance} % chance of precipitation`]),
  ];
  return `${isToday ? 'Today, ' : ''}${longDate(day.date)}: ${facts.join(', ')}.`;
}

/** Returns names and values of the details of a day. What is null is left out. */
function detailsOf(day: Day, formats: Formats): [string, string][] {
  const { amount, amountUnit, depth, speed, time } = formats;
  const detail = <Value,>(name: string, value: Value | null, format: (value: Value) => string) =>
    value === null ? [] : [[name, format(value)] as [string, string]];
  // In summer, nobody wants to read that no snow falls.
  const snow = day.snowfall === 0 ? null : day.snowfall;
  return [
    ['Weather', day.condition],
    ...detail('Precipitation', day.precipitation, (mm) => `${amount(mm)} ${amountUnit}`),
    ...detail('Fresh snow', snow, depth),
    ...detail('Chance', day.precipitation_probability, (chance) => `${chance} %`),
    ...detail('Wind', day.wind_speed_max, (value) => `up to ${speed(value)}`),
    ...detail('Gusts', day.wind_gusts_max, (value) => `up to ${speed(value)}`),
    ...detail('UV index', day.uv_index_max, (value) => `up to ${Math.round(value)}`),
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
export function moonName(phase: number): string {
  return MOON_NAMES[Math.round(phase * 8) % 8] ?? '';
}

/** A line with round ends, which is visible even if both temperatures are equal. */
function TemperatureBar({ day, scale }: { day: Day; scale: Scale }) {
  const at = (celsius: number) => `${(scale(celsius) * 100).toFixed(1)}%`;
  const id = `bar-${day.date}`;
  return (
    <svg class="bar">
      <defs>
        <TemperatureGradient id={id} axis="x" at={at} />
      </defs>
      <line class="scale" x1="0" x2="100%" y1="4" y2="4" />
      <line
        x1={at(day.temperature_min)}
        x2={at(day.temperature_max)}
        y1="4"
        y2="4"
        stroke={`url(#${id})`}
      />
    </svg>
  );
}
