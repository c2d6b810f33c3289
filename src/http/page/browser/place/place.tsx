import { Message } from '../message.js';
import type { Conditions, Day } from '../state/api.js';
import { fold } from '../state/queries.js';
import type { State, Weather } from '../state/store.js';
import { reload } from '../state/weather.js';
import { Days } from './days.js';
import { Facts } from './facts.js';
import { formatsOf } from './formats.js';
import { Hours } from './hours.js';
import { Skeleton } from './lazy-place.js';
import { localAt } from './local-time.js';
import { NowCard } from './now-card.js';

/** The weather of a place. */
export function Place({ page, weather }: { page: State; weather: Weather }) {
  const { query, isLoading, now, system } = page;
  const { body: conditions, headers } = weather.conditions;
  const formats = formatsOf(system, headers.get('Content-Language') ?? 'en');
  const names = namesOf(conditions);
  const temperature = formats.temperature(conditions.temperature);
  const { hours } = weather.hours?.body ?? {};
  const local = localAt(conditions.place.timezone, now);
  const date = local.slice(0, 10);
  const days = weather.days?.body.days.map((day) =>
    day.date === date ? including(conditions.temperature, day) : day,
  );
  const failed = (['hours', 'days'] as const).filter((part) => weather[part] === null);

  document.title = `${temperature} ${names.heading}`;
  return (
    <>
      <p class="visually-hidden" role="status">
        {`${names.heading}: ${temperature}, `}
        <bdi lang={formats.language}>{conditions.condition}</bdi>
      </p>
      <div class="place" aria-busy={isLoading}>
        <NowCard
          weather={weather}
          point={query && 'lat' in query ? `${query.lat}°, ${query.lon}°` : ''}
          names={names}
          formats={formats}
          today={days?.find((day) => day.date === date)}
          local={local}
          now={now}
        />
        {hours && <Hours hours={hours} formats={formats} now={now} />}
        {weather.hours === undefined && <Skeleton name="hours" text="Loading the next hours …" />}
        {days && <Days days={days} formats={formats} date={date} />}
        {weather.days === undefined && <Skeleton name="days" text="Loading the next days …" />}
        {failed.length > 0 && (
          <Message
            problem={{
              text: `The next ${failed.join(' and ')} are unavailable at the moment.`,
              retry: reload,
            }}
          />
        )}
        <Facts conditions={conditions} formats={formats} />
      </div>
    </>
  );
}

/** Returns a day whose high and low are those of the forecast, or the current temperature if it is beyond them. */
const including = (temperature: number, day: Day): Day => ({
  ...day,
  temperature_min: Math.min(day.temperature_min, temperature),
  temperature_max: Math.max(day.temperature_max, temperature),
});

export interface Names {
  /** The name as the user spelled it, with the usual capital letters and accents. */
  heading: string;
  /** Where it is: the other name of the city, the region, and the country. Can be empty. */
  details: string;
}

function namesOf({ location, place: { city, region, country } }: Conditions): Names {
  // "Portland, Maine" is Portland in Maine.
  const [typed = ''] = location.city.split(/[,，、،]/);
  const heading = city && fold(typed) === fold(city) ? city : location.city;
  const details = [...new Set([city, region, country])];
  return { heading, details: details.filter((name) => name && name !== heading).join(', ') };
}
