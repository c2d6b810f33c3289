import type { ConditionsBody, Day } from '../state/api.js';
import { countryName, fill, t } from '../state/language.js';
import { getState, partsOf, type Weather } from '../state/page-state.js';
import { foldName } from '../state/queries.js';
import { airQuality } from './air.js';
import { Details, type Detail } from './details.js';
import { formatIfKnown, formats } from './formats.js';
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
  const age = now - weather.conditions.fetchedAt;
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
      <Details
        class="today"
        details={[...(today ? detailsOf(today) : []), [t.airQuality, airQuality(weather)]]}
      />
      {isStale && <p class="warning">{t.stale}</p>}
      <p class="faint">
        {stationText(body)} {age < 60_000 ? t.fetchedNow : fill(t.fetched, fromNow(-age / 1000))}
        <Credits weather={weather} />
      </p>
    </article>
  );
}

/** Returns which station has measured the weather, how far away, and when; empty if none has. */
function stationText({ station, time }: ConditionsBody): string {
  if (!station) return '';
  const distance = formats().distance(station.distance_km * 1000);
  return [station.name, distance, time === null ? '' : timeText(time)].reduce(fill, t.measured);
}

/** Returns the high and the low of a day, and when the sun rises and sets, or that it does not. */
function detailsOf(day: Day): Detail[] {
  const { degrees } = formats();
  const { sunrise, sunset, day_length: length } = day;
  const isPolar = sunrise === null && sunset === null && length !== null;
  return [
    [t.high, degrees(day.temperature_max)],
    [t.low, formatIfKnown(day.temperature_min, degrees)],
    [t.sunrise, isPolar && length === 0 ? t.noSunrise : formatIfKnown(sunrise, timeText)],
    [t.sunset, isPolar && length > 0 ? t.noSunset : formatIfKnown(sunset, timeText)],
  ];
}

/**
 * Returns the name as the user spelled it, with the usual capital letters and accents, and where
 * the place is: the other name of the city, the region, and the country.
 */
function namesOf({ location, place }: ConditionsBody) {
  const { city, region, airport } = place;
  // "Portland, Maine" is Portland in Maine.
  const [typed = ''] = location.city.split(/[,，、،]/);
  const named = city && foldName(typed) === foldName(city) ? city : location.city;
  const heading = airport ?? named;
  const country = countryName(place.country_code, place.country);
  const details = [...new Set([city, region, country])];
  return { heading, details: details.filter((name) => name && name !== heading).join(', ') };
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
