import type { Day } from '../state/api.js';
import type { Weather } from '../state/store.js';
import { Credits } from './credits.js';
import type { Formats } from './formats.js';
import { timeText, weekdayTime } from './local-time.js';
import type { Names } from './place.js';
import { tintOf, WeatherIcon } from './weather-icon.js';

interface NowCardProps {
  weather: Weather;
  /** The coordinates that the user asks for; empty for a city. */
  point: string;
  names: Names;
  formats: Formats;
  /** Today, if the forecast has it. */
  today: Day | undefined;
  /** The date and time at the place; empty if the browser does not know the time zone. */
  local: string;
  now: number;
}

/** The card with the current weather. */
export function NowCard({ weather, point, names, formats, today, local, now }: NowCardProps) {
  const { conditions, hours, days, fetchedAt } = weather;
  const { body } = conditions;
  const parts = [conditions, hours, days];
  const isStale = parts.some((part) => part?.headers.get('X-Cache') === 'STALE');
  return (
    <article
      class="card"
      aria-labelledby="card-place"
      style={{ '--tint': `var(--${tintOf(body.weather_code, body.is_day)})` }}
    >
      <h2 id="card-place" tabIndex={-1}>
        <bdi>{names.heading}</bdi>
      </h2>
      <p class="faint">
        <bdi>{names.details}</bdi>
        {point && ' · '}
        <span class="point">{point}</span>
      </p>
      <p class="faint">{local && `${weekdayTime(local)} local time`}</p>
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
            {sunTexts(today).map((text) => (
              <span key={text}>{text}</span>
            ))}
          </>
        )}
      </p>
      {isStale && (
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

/** Returns when the sun rises and sets, or that it does not. */
function sunTexts({ sunrise, sunset, day_length: length }: Day): string[] {
  if (sunrise === null && sunset === null) {
    return length === null ? [] : [`The sun does not ${length > 0 ? 'set' : 'rise'}`];
  }
  return [
    ...(sunrise === null ? [] : [`Sunrise ${timeText(sunrise)}`]),
    ...(sunset === null ? [] : [`Sunset ${timeText(sunset)}`]),
  ];
}

const ago = new Intl.RelativeTimeFormat('en');

/** @param ms milliseconds since the weather was fetched */
function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'Fetched just now.';
  if (minutes < 60) return `Fetched ${ago.format(-minutes, 'minute')}.`;
  return `Fetched ${ago.format(-Math.floor(minutes / 60), 'hour')}.`;
}
