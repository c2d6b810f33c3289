import { Message } from '../message.js';
import type { Day } from '../state/api.js';
import { fill, t } from '../state/language.js';
import { getState, type Weather } from '../state/page-state.js';
import { nameOf } from '../state/queries.js';
import { reloadWeather } from '../state/weather.js';
import { DaysSection } from './days.js';
import { Facts } from './details.js';
import { HoursSection } from './hours.js';
import { localAt } from './date-formats.js';
import { NowCard } from './now-card.js';

/** The parts of a place. Each is a row; only the facts are beside the card, if there is space. */
export function PlaceWeather({ weather }: { weather: Weather }) {
  const { isLoading, now } = getState();
  const { body: conditions } = weather.conditions;
  const { hours } = weather.hours?.body ?? {};
  const local = localAt(conditions.place.timezone, now);
  const date = local.slice(0, 10);
  const days = weather.days?.body.days.map((day) =>
    day.date === date ? dayIncluding(conditions.temperature, day) : day,
  );
  const today = days?.find((day) => day.date === date);
  const failed = [weather.hours === null && t.noHours, weather.days === null && t.noDays];
  const text = failed.filter(Boolean).join(' ');
  return (
    <div class="place" aria-busy={isLoading}>
      <NowCard weather={weather} today={today} local={local} />
      {hours && <HoursSection hours={hours} />}
      {weather.hours === undefined && <Skeleton name="hours" text={t.hours} />}
      {days && <DaysSection days={days} date={date} />}
      {weather.days === undefined && <Skeleton name="days" text={t.days} />}
      {text && <Message problem={{ text, retry: reloadWeather }} />}
      <Facts weather={weather} />
    </div>
  );
}

/** Returns a day whose range of temperatures includes the current one. */
const dayIncluding = (temperature: number, day: Day): Day => ({
  ...day,
  temperature_min: day.temperature_min === null ? null : Math.min(day.temperature_min, temperature),
  temperature_max: Math.max(day.temperature_max, temperature),
});

/** A place whose weather is loading. */
export function LoadingPlace() {
  const { query } = getState();
  return (
    <div class="place">
      <Skeleton name="card" text={fill(t.loading, query ? nameOf(query) : '')} />
      <Skeleton name="hours" text={t.hours} />
      <Skeleton name="days" text={t.days} />
    </div>
  );
}

/** A part of the weather that is loading: its title, and the space that it needs. */
function Skeleton({ name, text }: { name: string; text: string }) {
  return (
    <div class={`skeleton ${name}`} aria-busy="true">
      <h2>{text}</h2>
      <p>
        <span>{t.slow}</span>
      </p>
    </div>
  );
}
