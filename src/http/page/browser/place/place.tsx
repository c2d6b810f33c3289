import { Skeleton } from '../lazy-place.js';
import { Message } from '../message.js';
import type { Day } from '../state/api.js';
import type { State, Weather } from '../state/page-state.js';
import { reloadWeather } from '../state/weather.js';
import { DaysSection } from './days.js';
import { Facts } from './details.js';
import { formatsOf } from './formats.js';
import { HoursSection } from './hours.js';
import { localAt } from './date-formats.js';
import { NowCard } from './now-card.js';

export function PlaceWeather({ page, weather }: { page: State; weather: Weather }) {
  const { isLoading, now, system } = page;
  const { body: conditions, headers } = weather.conditions;
  const formats = formatsOf(system, headers.get('Content-Language') ?? 'en');
  const { hours } = weather.hours?.body ?? {};
  const local = localAt(conditions.place.timezone, now);
  const date = local.slice(0, 10);
  const days = weather.days?.body.days.map((day) =>
    day.date === date ? dayIncluding(conditions.temperature, day) : day,
  );
  const today = days?.find((day) => day.date === date);
  const failed = (['hours', 'days'] as const).filter((part) => weather[part] === null);
  return (
    <div class="place" aria-busy={isLoading}>
      <NowCard page={page} weather={weather} formats={formats} today={today} local={local} />
      {hours && <HoursSection hours={hours} formats={formats} now={now} />}
      {weather.hours === undefined && <Skeleton name="hours" text="Loading the next hours …" />}
      {days && <DaysSection days={days} formats={formats} date={date} />}
      {weather.days === undefined && <Skeleton name="days" text="Loading the next days …" />}
      {failed.length > 0 && (
        <Message
          problem={{
            text: `The next ${failed.join(' and ')} are unavailable at the moment.`,
            retry: reloadWeather,
          }}
        />
      )}
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
