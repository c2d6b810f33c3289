import type { ConditionsBody, Day } from '../state/api.js';
import { fill, t } from '../state/language.js';
import { getState, partsOf, type Weather } from '../state/page-state.js';
import { foldName } from '../state/queries.js';
import { formats } from './formats.js';
import { fromNow, timeText, weekdayTime } from './date-formats.js';
import { tintOf, WeatherIcon } from './weather-icon.js';

interface NowCardProps {
  weather: Weather;
  /** Today, if the forecast has it. */
  today: Day | undefined;
  /** The date and time at the place; empty if the browser does not know the time zone. */
  local: string;
}

/** The place, its weather now, where the values are from, today, and the age of the data. */
export function NowCard({ weather, today, local }: NowCardProps) {
  const { query, now } = getState();
  const { body } = weather.conditions;
  const { heading, details } = namesOf(body);
  const temperature = formats().temperature(body.temperature);
  const isStale = partsOf(weather).some(({ headers }) => headers.get('X-Cache') === 'STALE');
  document.title = `${temperature} ${heading}`;
  return (
    <article
      class="card"
      aria-labelledby="card-place"
      style={{ '--tint': `var(--${tintOf(body.weather_code, body.is_day)})` }}
    >
      <p class="visually-hidden" role="status">
        {`${heading}: ${temperature}, ${body.condition}`}
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
          {body.weather_code !== null && <p class="condition">{body.condition}</p>}
          {body.feels_like !== null && (
            <p class="faint">
              {t.feelsLike} {formats().degrees(body.feels_like)}
            </p>
          )}
        </div>
      </div>
      {body.station && <p class="faint">{stationText(body.station, body.time)}</p>}
      <p class="today">
        {today && textsOf(today).map((text) => text && <span key={text}>{text}</span>)}
      </p>
      {isStale && <p class="warning">{t.stale}</p>}
      <p class="faint">
        {ageText(now - weather.fetchedAt)}
        <Credits weather={weather} />
      </p>
    </article>
  );
}

/** Returns which station has measured the weather, how far away, and when. */
function stationText(
  { name, distance_km: km }: NonNullable<ConditionsBody['station']>,
  time: string | null,
): string {
  const values = [name, formats().distance(km * 1000), time === null ? '' : timeText(time)];
  return values.reduce(fill, t.measured);
}

/** Returns the high and the low of a day, and when the sun rises and sets, or that it does not. */
function textsOf(day: Day) {
  const { degrees } = formats();
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
function namesOf({ location, place: { city, region, country, airport } }: ConditionsBody) {
  // "Portland, Maine" is Portland in Maine.
  const [typed = ''] = location.city.split(/[,，、،]/);
  const named = city && foldName(typed) === foldName(city) ? city : location.city;
  const heading = airport ?? named;
  const details = [...new Set([city, region, country])];
  return { heading, details: details.filter((name) => name && name !== heading).join(', ') };
}

function ageText(ms: number): string {
  return ms < 60_000 ? t.fetchedNow : fill(t.fetched, fromNow(-ms / 1000));
}

/** The credits that the providers require, each once. A credit for invented data is a warning. */
function Credits({ weather }: { weather: Weather }) {
  const credits = new Map<string | null, boolean>();
  for (const { headers } of partsOf(weather)) {
    const isInvented = headers.get('X-Weather-Provider') === 'demo';
    credits.set(headers.get('X-Weather-Attribution'), isInvented);
  }
  return (
    <>
      {[...credits].map(([text, isInvented]) => {
        // "Text <address>, license"
        const [, name, href, rest] = /^(.*?) <(https?:\/\/[^<>]+)>(.*)$/.exec(text ?? '') ?? [];
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
