import type { ComponentChildren } from 'preact';
import { t } from '../state/language.js';
import type { Weather } from '../state/page-state.js';
import { airDetails } from './air.js';
import { formatIfKnown, formats } from './formats.js';

/** A name with its value; null if there is none. */
export type Detail = [name: string, value: ComponentChildren];

/** A list of names with their values, without those whose value is null. */
export function Details({ details, class: name }: { details: Detail[]; class?: string }) {
  return (
    <dl class={name}>
      {details.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Returns where the wind comes from: `from the north`. @param degrees null: unknown */
export const windFrom = (degrees: number | null) =>
  degrees === null ? '' : (t.winds.split('|')[Math.round(degrees / 45) % 8] ?? '');

/** The details of the current weather, without what contradicts another fact. */
export function Facts({ weather }: { weather: Weather }) {
  const { body: conditions } = weather.conditions;
  const { wind_speed: speed, wind_direction: direction, wind_gusts: gusts } = conditions;
  const { weather_code: code, is_day: isDay } = conditions;
  const { distance, index, percent, pressure, rate, speed: speeds, temperature } = formats();
  const isDryRain = conditions.precipitation === 0 && code !== null && code > 50;
  const precipitation = isDryRain ? null : conditions.precipitation;
  const from = speed === 0 ? '' : windFrom(direction);
  return (
    <section class="facts" aria-labelledby="facts-title">
      <h2 id="facts-title">{t.details}</h2>
      <Details
        details={[
          [t.wind, `${speeds.text(speed)} ${from}`],
          [t.gusts, gusts !== null && gusts > speed ? speeds.text(gusts) : null],
          [t.precipitation, formatIfKnown(precipitation, rate.text)],
          [t.humidity, formatIfKnown(conditions.humidity, percent)],
          [t.dewPoint, formatIfKnown(conditions.dew_point, temperature)],
          [t.pressure, formatIfKnown(conditions.pressure, pressure)],
          [t.cloudCover, formatIfKnown(conditions.cloud_cover, percent)],
          [t.visibility, formatIfKnown(conditions.visibility, distance)],
          [t.uvIndex, isDay ? formatIfKnown(conditions.uv_index, index) : null],
        ]}
      />
      <Details class="wide" details={airDetails(weather)} />
    </section>
  );
}
