import type { ConditionsBody, Day } from '../state/api.js';
import { fill, locale, t } from '../state/language.js';
import type { Part, State, Weather } from '../state/page-state.js';
import { foldName } from '../state/queries.js';
import type { Formats } from './formats.js';
import { timeText, weekdayTime } from './date-formats.js';
import { tintOf, WeatherIcon } from './weather-icon.js';

interface NowCardProps {
  page: State;
  weather: Weather;
  formats: Formats;
  /** The language of the description (BCP 47). */
  language: string;
  /** Today, if the forecast has it. */
  today: Day | undefined;
  /** The date and time at the place; empty if the browser does not know the time zone. */
  local: string;
}

export function NowCard({ page, weather, formats, language, today, local }: NowCardProps) {
  const { query, now } = page;
  const { conditions, hours, days, fetchedAt } = weather;
  const { body } = conditions;
  const { heading, details } = namesOf(body);
  const temperature = formats.temperature(body.temperature);
  const condition = <bdi lang={language}>{body.condition}</bdi>;
  const parts = [conditions, hours, days];
  const isStale = parts.some((part) => part?.headers.get('X-Cache') === 'STALE');
  document.title = `${temperature} ${heading}`;
  return (
    <article
      class="card"
      aria-labelledby="card-place"
      style={{ '--tint': `var(--${tintOf(body.weather_code, body.is_day)})` }}
    >
      <p class="visually-hidden" role="status">
        {`${heading}: ${temperature}, `}
        {condition}
      </p>
      <h2 id="card-place" tabIndex={-1}>
        <bdi>{heading}</bdi>
      </h2>
      <p class="faint">
        <bdi>{details}</bdi>
      </p>
      {query && 'lat' in query && <p class="faint point">{`${query.lat}°, ${query.lon}°`}</p>}
      <p class="faint">{local && fill(t.localTime, weekdayTime(local))}</p>
      <div class="now">
        <WeatherIcon code={body.weather_code} isDay={body.is_day} />
        <p class="temperature">{temperature}</p>
        <div>
          {body.weather_code !== null && <p class="condition">{condition}</p>}
          {body.feels_like !== null && (
            <p class="faint">
              {t.feelsLike} {formats.degrees(body.feels_like)}
            </p>
          )}
        </div>
      </div>
      <p class="today">
        {today && textsOf(today, formats).map((text) => text && <span key={text}>{text}</span>)}
      </p>
      {isStale && <p class="warning">{t.stale}</p>}
      <p class="faint">
        {ageText(now - fetchedAt)}
        <Credits parts={parts} />
      </p>
    </article>
  );
}

/** Returns the high and the low of a day, and when the sun rises and sets, or that it does not. */
function textsOf(day: Day, { degrees }: Formats) {
  const { sunrise, sunset, day_length: length } = day;
  const isPolar = sunrise === null && sunset === null && length !== null;
  return [
    `${t.high} ${degrees(day.temperature_max)}`,
    day.temperature_min !== null && `${t.low} ${degrees(day.temperature_min)}`,
    sunrise && `${t.sunrise} ${timeText(sunrise)}`,
    sunset && `${t.sunset} ${timeText(sunset)}`,
    isPolar && (length > 0 ? t.noSunset : t.noSunrise),
  ];
}

/**
 * Returns the name as the user spelled it, with the usual capital letters and accents, and where the place is: the other
 * name of the city, the region, and the country.
 */
function namesOf({ location, place: { city, region, country } }: ConditionsBody) {
  // "Portland, Maine" is Portland in Maine.
  const [typed = ''] = location.city.split(/[,，、،]/);
  const heading = city && foldName(typed) === foldName(city) ? city : location.city;
  const details = [...new Set([city, region, country])];
  return { heading, details: details.filter((name) => name && name !== heading).join(', ') };
}

function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return t.fetchedNow;
  const ago = new Intl.RelativeTimeFormat(locale);
  const text =
    minutes < 60 ? ago.format(-minutes, 'minute') : ago.format(-Math.floor(minutes / 60), 'hour');
  return fill(t.fetched, text);
}

/** The credits that the providers require, each once. A credit for invented data is a warning. */
function Credits({ parts }: { parts: Part<unknown>[] }) {
  const credits = new Map<string, boolean>();
  for (const part of parts) {
    const text = part?.headers.get('X-Weather-Attribution');
    if (text) credits.set(text, part?.headers.get('X-Weather-Provider') === 'demo');
  }
  return (
    <>
      {[...credits].map(([text, isInvented]) => {
        // "Text <address>, license"
        const [, name, href, rest] = /^(.*?) <(https?:\/\/[^<>]+)>(.*)$/.exec(text) ?? [];
        return (
          <span key={text} class={isInvented ? 'warning' : ''}>
            {' '}
            {href ? <a href={href}>{name}</a> : text}
            {rest}
          </span>
        );
      })}
    </>
  );
}
