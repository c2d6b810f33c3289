import type { Day } from '../state/api.js';
import { fill, t } from '../state/language.js';
import { Details } from './details.js';
import { formatIfKnown, formats } from './formats.js';
import { longDate, shortWeekday, timeText, todayText } from './date-formats.js';
import { showHoursOf } from './hours.js';
import { moonNames } from './moon.js';
import { TemperatureGradient } from './temperature-gradient.js';
import { WeatherIcon } from './weather-icon.js';

/** Minimum length of the scale in degrees: small differences look small. */
const MIN_SPAN = 4;
/** Days that are shown at once. Beyond a week, a forecast says little. */
const SHOWN_DAYS = 7;

/** Returns the position of a temperature between the lowest (0 %) and the highest (100 %) one. */
type Scale = (celsius: number) => string;

/**
 * The next days: each with a bar from its lowest to its highest temperature, all on one scale.
 *
 * @param props.date at the place; empty, which shows all days, if the browser lacks the time zone
 */
export function DaysSection({ days, date }: { days: Day[]; date: string }) {
  const moons = moonNames(days.map((day) => day.moon_phase));
  const next = days.filter((day) => day.date >= date);
  if (next.length === 0) return null;
  const lowest = Math.min(...next.map(lowOf));
  const highest = Math.max(...next.map((day) => day.temperature_max));
  const span = Math.max(highest - lowest, MIN_SPAN);
  const scale: Scale = (celsius) => `${(((celsius - lowest) / span) * 100).toFixed(1)}%`;
  const rows = next.map((day) => (
    <li key={day.date}>
      <details
        onToggle={({ currentTarget }) => {
          if (currentTarget.open) showHoursOf(day.date);
        }}
      >
        <DaySummary day={day} isToday={day.date === date} scale={scale} />
        <DayDetails day={day} moon={moons[days.indexOf(day)] ?? null} />
      </details>
    </li>
  ));
  return (
    <section class="days" aria-labelledby="days-title">
      <h2 id="days-title">{t.days}</h2>
      <ul>{rows.slice(0, SHOWN_DAYS)}</ul>
      {rows.length > SHOWN_DAYS && (
        <details class="more">
          <summary>{t.moreDays}</summary>
          <ul>{rows.slice(SHOWN_DAYS)}</ul>
        </details>
      )}
    </section>
  );
}

/** The low of a day, or its high if the provider does not have the low. */
const lowOf = (day: Day) => day.temperature_min ?? day.temperature_max;

interface DaySummaryProps {
  day: Day;
  isToday: boolean;
  scale: Scale;
}

/** The row of a day, which opens its details. Screen readers get one sentence instead. */
function DaySummary({ day, isToday, scale }: DaySummaryProps) {
  const { temperature_min: minimum, temperature_max: maximum, precipitation, snowfall } = day;
  const { precipitation_probability: chance, wind_speed_max: wind } = day;
  const { amount: amounts, degrees, percent, speed, temperature, chance: chanceText } = formats();
  const amount = precipitation ? amounts.text(precipitation) : '';
  const sentence = [
    day.condition,
    minimum === null
      ? fill(t.upTo, temperature(maximum))
      : `${degrees(minimum)} – ${temperature(maximum)}`,
    chance !== null && `${t.chance} ${percent(chance)}`,
    amount && `${t.precipitation} ${amount}`,
    wind !== null && `${t.wind} ${fill(t.upTo, speed.text(wind))}`,
  ];
  return (
    <summary>
      <span class="visually-hidden">
        {`${isToday ? `${todayText()}, ` : ''}${longDate(day.date)}: `}
        {`${sentence.filter(Boolean).join(', ')}.`}
      </span>
      <span class="day" aria-hidden="true">
        <span class="weekday">{isToday ? t.today : shortWeekday(day.date)}</span>
        <WeatherIcon code={day.weather_code} />
        <span class="faint">{formatIfKnown(minimum, degrees)}</span>
        <TemperatureBar day={day} scale={scale} />
        <b>{degrees(maximum)}</b>
        <span class="rain-and-wind">
          <span class="water">{chanceText(chance)}</span>
          <b class={snowfall ? 'snowy' : 'water'}>{amount}</b>
          <span class="faint">{formatIfKnown(wind, speed.text)}</span>
        </span>
      </span>
    </summary>
  );
}

function DayDetails({ day, moon }: { day: Day; moon: string | null }) {
  const { amount, depth, index, percent, speed } = formats();
  const upTo = (value: number | null, format: (known: number) => string) =>
    formatIfKnown(value, (known) => fill(t.upTo, format(known)));
  return (
    <Details
      details={[
        [t.title, day.condition],
        [t.precipitation, formatIfKnown(day.precipitation, amount.text)],
        // A day without fresh snow has no row for it.
        [t.snow, day.snowfall ? depth.text(day.snowfall) : null],
        [t.chance, formatIfKnown(day.precipitation_probability, percent)],
        [t.wind, upTo(day.wind_speed_max, speed.text)],
        [t.gusts, upTo(day.wind_gusts_max, speed.text)],
        [t.uvIndex, upTo(day.uv_index_max, index)],
        [t.sunrise, formatIfKnown(day.sunrise, timeText)],
        [t.sunset, formatIfKnown(day.sunset, timeText)],
        [t.moon, moon],
        [t.moonrise, formatIfKnown(day.moonrise, timeText)],
        [t.moonset, formatIfKnown(day.moonset, timeText)],
      ]}
    />
  );
}

/** A line with round ends, which is visible even if both temperatures are equal. */
function TemperatureBar({ day, scale }: { day: Day; scale: Scale }) {
  const id = `bar-${day.date}`;
  const ends = { x1: scale(lowOf(day)), x2: scale(day.temperature_max) };
  return (
    <svg class="bar">
      <TemperatureGradient id={id} axis="x" at={scale} />
      <line class="scale" x1="0" x2="100%" y1="4" y2="4" />
      <line {...ends} y1="4" y2="4" stroke={`url(#${id})`} />
    </svg>
  );
}
