import type { Ref } from 'preact';
import type { Actions } from '../state/actions.js';
import { Message } from '../messages/message.js';
import { Failure, type Day } from '../state/api.js';
import type { Part, State, Weather } from '../state/store.js';
import { Days } from './days.js';
import { Facts } from './facts.js';
import { formatsOf } from './formats.js';
import { Hours } from './hours.js';
import { dateAt } from './local-time.js';
import { namesOf } from './names.js';
import { NowCard } from './now-card.js';
import { Skeleton } from './skeleton.js';

export interface PlaceProps {
  page: State;
  actions: Actions;
  heading: Ref<HTMLHeadingElement>;
}

/** Returns the body of a part that has arrived. */
const bodyOf = <Json,>(part: Part<Json>) =>
  part && !(part instanceof Failure) ? part.body : undefined;

/** The weather of a place. */
export function Place({ page, actions, weather, heading }: PlaceProps & { weather: Weather }) {
  const { isLoading, now, system, isTwelveHours } = page;
  const { body: conditions, headers } = weather.conditions;
  const formats = formatsOf(system, isTwelveHours, headers.get('Content-Language') ?? 'en');
  const names = namesOf(conditions.location, conditions.place);
  const temperature = formats.temperature(conditions.temperature);
  const hours = bodyOf(weather.hours);
  const date = dateAt(conditions.place.timezone, now);
  const days = bodyOf(weather.days)?.days.map((day) =>
    day.date === date ? including(conditions.temperature, day) : day,
  );

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
          names={names}
          formats={formats}
          today={days?.find((day) => day.date === date)}
          now={now}
          heading={heading}
        />
        {hours && <Hours hours={hours.hours} formats={formats} now={now} />}
        {!weather.hours && <Skeleton name="hours" text="Loading the next hours …" />}
        {days && <Days days={days} formats={formats} date={date} />}
        {!weather.days && <Skeleton name="days" text="Loading the next days …" />}
        <PartsProblem parts={[weather.hours, weather.days]} actions={actions} />
        <Facts conditions={conditions} formats={formats} />
      </div>
    </>
  );
}

/** Returns a day whose high and low are those of the forecast, or the present temperature if it is beyond them. */
const including = (temperature: number, day: Day): Day => ({
  ...day,
  temperature_min: Math.min(day.temperature_min, temperature),
  temperature_max: Math.max(day.temperature_max, temperature),
});

/** One message if the hours, the days, or both cannot be loaded. */
function PartsProblem({ parts, actions }: { parts: Part<unknown>[]; actions: Actions }) {
  const names = ['hours', 'days'].filter((_, index) => parts[index] instanceof Failure);
  if (names.length === 0) return null;
  const text = `The next ${names.join(' and ')} are unavailable at the moment.`;
  return <Message problem={{ text, retry: actions.reload }} actions={actions} />;
}
