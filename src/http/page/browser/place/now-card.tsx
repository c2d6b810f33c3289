import type { Ref } from 'preact';
import { Failure, type Day } from '../state/api.js';
import type { Weather } from '../state/store.js';
import { ageText } from '../messages/texts.js';
import { Credits } from './credits.js';
import type { Formats } from './formats.js';
import type { Names } from './names.js';
import { tintOf } from './sky.js';
import { WeatherIcon } from './weather-icon.js';

interface NowCardProps {
  weather: Weather;
  names: Names;
  formats: Formats;
  /** Today, if the forecast has it. */
  today: Day | undefined;
  now: number;
  heading: Ref<HTMLHeadingElement>;
}

const isStale = (part: Weather['hours' | 'days' | 'conditions']) =>
  part !== undefined && !(part instanceof Failure) && part.headers.get('X-Cache') === 'STALE';

/** The card with the present weather. */
export function NowCard({ weather, names, formats, today, now, heading }: NowCardProps) {
  const { query, conditions, hours, days, fetchedAt } = weather;
  const { body } = conditions;
  const time = formats.timeAt(body.place.timezone, now);
  const parts = [conditions, hours, days];
  return (
    <article
      class="card"
      aria-labelledby="card-place"
      style={{ '--tint': `var(--${tintOf(body.weather_code, body.is_day)})` }}
    >
      <h2 id="card-place" ref={heading} tabIndex={-1}>
        <bdi>{names.heading}</bdi>
      </h2>
      <p class="faint">
        <bdi>{names.details}</bdi>
        {'lat' in query && <span class="point">{`${query.lat}°, ${query.lon}°`}</span>}
      </p>
      <p class="faint">{time && `${time} local time`}</p>
      <div class="now">
        <WeatherIcon code={body.weather_code} isDay={body.is_day} />
        <p class="temperature">{formats.temperature(body.temperature)}</p>
        <div>
          {body.weather_code !== null && (
            <p class="condition">
              <bdi lang={formats.language}>{body.condition}</bdi>
            </p>
          )}
          {body.feels_like !== null && (
            <p class="faint">Feels like {formats.degrees(body.feels_like)}</p>
          )}
        </div>
      </div>
      <p class="today">
        {today && (
          <>
            <span>
              High <b>{formats.degrees(today.temperature_max)}</b>
            </span>
            <span>
              Low <b>{formats.degrees(today.temperature_min)}</b>
            </span>
            <SunTimes day={today} time={formats.time} />
          </>
        )}
      </p>
      {parts.some(isStale) && (
        <p class="warning">
          No weather provider responds at the moment. This is the latest known weather.
        </p>
      )}
      <p class="small">
        {ageText(now - fetchedAt)}
        <Credits parts={parts} />
      </p>
    </article>
  );
}

interface SunTimesProps {
  day: Day;
  time: Formats['time'];
}

/** When the sun rises and sets, or that it does not. */
function SunTimes({ day, time }: SunTimesProps) {
  const { sunrise, sunset } = day;
  if (sunrise === null && sunset === null) {
    if (day.day_length === null) return null;
    return <span>{`The sun does not ${day.day_length > 0 ? 'set' : 'rise'}`}</span>;
  }
  return (
    <>
      {sunrise !== null && <span>Sunrise {time(sunrise)}</span>}
      {sunset !== null && <span>Sunset {time(sunset)}</span>}
    </>
  );
}
