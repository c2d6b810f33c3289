import type { Day } from '../state/api.js';
import { fill, t } from '../state/language.js';
import { Details } from './details.js';
import { formatIfKnown, type Formats } from './formats.js';
import { longDate, shortWeekday, timeText } from './date-formats.js';
import { showHoursOf } from './hours.js';
import { moonName } from './moon.js';
import { TemperatureGradient } from './temperature-gradient.js';
import { WeatherIcon } from './weather-icon.js';

/** Minimum length of the scale in degrees: small differences look small. */
const MIN_SPAN = 4;

/** Days that are shown at once. Beyond a week, a forecast says little. */
const SHOWN_DAYS = 7;

/** Returns the position of a temperature between the lowest (0) and the highest (1) one. */
type Scale = (celsius: number) => number;

interface DaysSectionProps {
  days: Day[];
  /** At the place; empty if the browser does not know the time zone, which then shows all days. */
  date: string;
  formats: Formats;
  /** The language of the descriptions (BCP 47). */
  language: string;
}

/** The next days: each with a bar from its lowest to its highest temperature, all on one scale. */
export function DaysSection({ days, date, formats, language }: DaysSectionProps) {
  const next = days.filter((day) => day.date >= date);
  const lowest = Math.min(...next.map((day) => lowOf(day)));
  const highest = Math.max(...next.map((day) => day.temperature_max));
  const span = Math.max(highest - lowest, MIN_SPAN);
  const scale: Scale = (celsius) => (celsius - lowest) / span;
  return (
    <section class="days" aria-labelledby="days-title">
      <h2 id="days-title">{t.days}</h2>
      {rowsOf(next.slice(0, SHOWN_DAYS))}
      {next.length > SHOWN_DAYS && (
        <details class="more">
          <summary>{t.moreDays}</summary>
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
            <details
              onToggle={({ currentTarget }) => {
                if (currentTarget.open) showHoursOf(day.date);
              }}
            >
              <DaySummary day={day} isToday={day.date === date} {...{ scale, formats, language }} />
              <DayDetails day={day} moon={moonOf(day)} {...{ formats, language }} />
            </details>
          </li>
        ))}
      </ul>
    );
  }

  function moonOf(day: Day): string | null {
    const [before, phase, after] = [-1, 0, 1].map(
      (step) => days[days.indexOf(day) + step]?.moon_phase ?? null,
    );
    return formatIfKnown(phase ?? null, (own) => moonName(own, before ?? null, after ?? null));
  }
}

interface DaySummaryProps {
  day: Day;
  isToday: boolean;
  scale: Scale;
  formats: Formats;
  language: string;
}

/** The low of a day, or its high if the provider does not have the low. */
const lowOf = (day: Day) => day.temperature_min ?? day.temperature_max;

/** The row of a day, which opens its details. Screen readers get one sentence instead of the parts of the row. */
function DaySummary({ day, isToday, scale, formats, language }: DaySummaryProps) {
  const { temperature_min: minimum, temperature_max: maximum, precipitation, snowfall } = day;
  const { precipitation_probability: chance, wind_speed_max: wind } = day;
  const amount = precipitation ? formats.amount.text(precipitation) : '';
  const sentence = [
    minimum === null
      ? fill(t.upTo, formats.temperature(maximum))
      : `${formats.degrees(minimum)} – ${formats.temperature(maximum)}`,
    chance !== null && `${t.chanceOfPrecipitation} ${formats.percent(chance)}`,
    amount && `${t.precipitation} ${amount}`,
    wind !== null && `${t.wind} ${fill(t.upTo, formats.speed.text(wind))}`,
  ];
  return (
    <summary>
      <span class="visually-hidden">
        {`${isToday ? `${t.today}, ` : ''}${longDate(day.date)}: `}
        <bdi lang={language}>{day.condition}</bdi>
        {`, ${sentence.filter(Boolean).join(', ')}.`}
      </span>
      <span class="day" aria-hidden="true">
        <span class="weekday">{isToday ? t.today : shortWeekday(day.date)}</span>
        <WeatherIcon code={day.weather_code} />
        <span class="faint">{formatIfKnown(minimum, formats.degrees)}</span>
        <TemperatureBar day={day} scale={scale} />
        <b>{formats.degrees(maximum)}</b>
        <span class="sky">
          <span class="chance">{formats.chance(chance)}</span>
          <span class={snowfall ? 'amount snowy' : 'amount'}>{amount}</span>
          <span class="faint">{formatIfKnown(wind, formats.speed.text)}</span>
        </span>
      </span>
    </summary>
  );
}

interface DayDetailsProps {
  day: Day;
  moon: string | null;
  formats: Formats;
  language: string;
}

function DayDetails({ day, moon, formats, language }: DayDetailsProps) {
  const upTo = (speed: number | null) =>
    formatIfKnown(speed, (known) => fill(t.upTo, formats.speed.text(known)));
  return (
    <Details
      details={[
        [t.title, <bdi lang={language}>{day.condition}</bdi>],
        [t.precipitation, formatIfKnown(day.precipitation, formats.amount.text)],
        // A day without fresh snow has no row for it.
        [t.snow, day.snowfall ? formats.depth.text(day.snowfall) : null],
        [t.chance, formatIfKnown(day.precipitation_probability, formats.percent)],
        [t.wind, upTo(day.wind_speed_max)],
        [t.gusts, upTo(day.wind_gusts_max)],
        [t.uvIndex, formatIfKnown(day.uv_index_max, (index) => fill(t.upTo, formats.index(index)))],
        [t.sunrise, formatIfKnown(day.sunrise, timeText)],
        [t.sunset, formatIfKnown(day.sunset, timeText)],
        [t.dayLength, formatIfKnown(day.day_length, formats.duration)],
        [t.moon, moon],
        [t.moonrise, formatIfKnown(day.moonrise, timeText)],
        [t.moonset, formatIfKnown(day.moonset, timeText)],
      ]}
    />
  );
}

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
