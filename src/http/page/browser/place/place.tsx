import type { Ref } from 'preact';
import type { Actions } from '../state/actions.js';
import { Failure } from '../state/api.js';
import { isSame, type Part, type State, type Weather } from '../state/store.js';
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

/** The weather of a place, which is dimmed while that of another place is loading. */
export function Place({ page, actions, weather, heading }: PlaceProps & { weather: Weather }) {
  const { query, isLoading, now, system, isTwelveHours } = page;
  const formats = formatsOf(system, isTwelveHours);
  const conditions = weather.conditions.body;
  const names = namesOf(conditions.location, conditions.place);
  const temperature = formats.temperature(conditions.temperature);
  const [hours, days] = [bodyOf(weather.hours), bodyOf(weather.days)];
  const date = dateAt(conditions.place.timezone, now);
  const isDimmed = isLoading && !isSame(weather.query, query);

  document.title = `${temperature} ${names.heading}`;
  return (
    <>
      <p class="visually-hidden" role="status">
        {`${names.heading}: ${temperature}, ${conditions.condition}.`}
      </p>
      <div class={isDimmed ? 'place dimmed' : 'place'} aria-busy={isLoading}>
        <NowCard
          weather={weather}
          names={names}
          formats={formats}
          today={days?.days.find((day) => day.date === date)}
          now={now}
          heading={heading}
        />
        {hours && <Hours hours={hours.hours} formats={formats} now={now} />}
        {!weather.hours && <Skeleton name="hours" text="Loading the next hours …" />}
        {days && <Days days={days.days} formats={formats} date={date} />}
        {!weather.days && <Skeleton name="days" text="Loading the next days …" />}
        <PartsProblem parts={[weather.hours, weather.days]} retry={actions.reload} />
        <Facts conditions={conditions} formats={formats} />
      </div>
    </>
  );
}

/** One message if the hours, the days, or both cannot be loaded. */
function PartsProblem({ parts, retry }: { parts: Part<unknown>[]; retry: () => void }) {
  const failures = parts.filter((part) => part instanceof Failure);
  const [first] = failures;
  if (!first) return null;
  const names = ['hours', 'days'].filter((_, index) => parts[index] instanceof Failure);
  const reason = first.status === 429 ? ': there were too many searches' : '';
  return (
    <section class="message" aria-label="Message">
      <p role="alert">{`The next ${names.join(' and ')} are unavailable at the moment${reason}.`}</p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </section>
  );
}
