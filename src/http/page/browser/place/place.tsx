import { Message } from '../message.js';
import type { Day } from '../state/api.js';
import { fill, t } from '../state/language.js';
import type { State, Weather } from '../state/page-state.js';
import { nameOf, type Query } from '../state/queries.js';
import { reloadWeather } from '../state/weather.js';
import { DaysSection } from './days.js';
import { Facts } from './details.js';
import { formatsOf } from './formats.js';
import { HoursSection } from './hours.js';
import { localAt } from './date-formats.js';
import { NowCard } from './now-card.js';

export function PlaceWeather({ page, weather }: { page: State; weather: Weather }) {
  const { isLoading, now, system, firstHour } = page;
  const { body: conditions, headers } = weather.conditions;
  const formats = formatsOf(system);
  const language = headers.get('Content-Language') ?? 'en';
  const { hours } = weather.hours?.body ?? {};
  const local = localAt(conditions.place.timezone, now);
  const date = local.slice(0, 10);
  const days = weather.days?.body.days.map((day) =>
    day.date === date ? dayIncluding(conditions.temperature, day) : day,
  );
  const today = days?.find((day) => day.date === date);
  const failed = [weather.hours === null && t.noHours, weather.days === null && t.noDays];
  const text = failed.filter(Boolean).join(' ');
  const shared = { formats, language };
  return (
    <div class="place" aria-busy={isLoading}>
      <NowCard page={page} weather={weather} today={today} local={local} {...shared} />
      {hours && <HoursSection hours={hours} now={now} firstHour={firstHour} {...shared} />}
      {weather.hours === undefined && <Skeleton name="hours" text={t.loadingHours} />}
      {days && <DaysSection days={days} date={date} {...shared} />}
      {weather.days === undefined && <Skeleton name="days" text={t.loadingDays} />}
      {text && <Message problem={{ text, retry: reloadWeather }} />}
      <Facts conditions={conditions} formats={formats} />
    </div>
  );
}

/** Returns a day whose high and low are those of the forecast, or the current temperature if it is beyond them. */
const dayIncluding = (temperature: number, day: Day): Day => ({
  ...day,
  temperature_min: day.temperature_min === null ? null : Math.min(day.temperature_min, temperature),
  temperature_max: Math.max(day.temperature_max, temperature),
});

/** A place whose weather is loading. */
export function LoadingPlace({ query }: { query: Query | undefined }) {
  return (
    <div class="place">
      <Skeleton name="card" text={fill(t.loading, query ? nameOf(query) : '')} />
      <Skeleton name="hours" text={t.hours} />
      <Skeleton name="days" text={t.days} />
    </div>
  );
}

/** A part of the weather that is loading: its text, and the space that it needs. */
function Skeleton({ name, text }: { name: string; text: string }) {
  return (
    <div class={`skeleton ${name}`} aria-busy="true">
      <p>
        {text} <span>{t.slow}</span>
      </p>
    </div>
  );
}
