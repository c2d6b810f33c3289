import { AIR_QUALITY } from './air-quality.js';
import { CURRENT_WEATHER } from './current-weather.js';
import { DAILY_FORECAST } from './daily-forecast.js';
import { HOURLY_FORECAST } from './hourly-forecast.js';
import type { Kind } from './kind.js';
import type { PointRequest } from './point.js';
import { POLLEN } from './pollen.js';

/** The TTLs that an operator can set, each with its variable. */
export const TTLS = {
  weather: {
    variable: 'CACHE_TTL_SECONDS',
    defaultSeconds: 300,
    meaning:
      'TTL of a fresh cache entry; an entry from MET Norway is fresh until its response expires, if that is later',
  },
  forecast: {
    variable: 'FORECAST_TTL_SECONDS',
    defaultSeconds: 1800,
    meaning: 'TTL of a fresh cache entry with a daily or an hourly forecast',
  },
} as const;

export type TtlName = keyof typeof TTLS;

/** Seconds: the models of the air have a value for each hour. */
const AIR_TTL = 3600;

/**
 * The kinds of data about a point. The row defines the registration of a kind, the ability of a
 * provider that supplies it, and the variable with its TTL (or the seconds, without a variable).
 */
export const POINT_KINDS = [
  { kind: CURRENT_WEATHER, ability: 'current', ttl: 'weather' },
  { kind: DAILY_FORECAST, ability: 'daily', ttl: 'forecast' },
  { kind: HOURLY_FORECAST, ability: 'hourly', ttl: 'forecast' },
  { kind: AIR_QUALITY, ability: 'air', ttl: AIR_TTL },
  { kind: POLLEN, ability: 'pollen', ttl: AIR_TTL },
] as const satisfies {
  kind: Kind<PointRequest, unknown>;
  ability: string;
  ttl: TtlName | number;
}[];

type ValueOf<K> = K extends Kind<PointRequest, infer Value> ? Value : never;

/** The value that each ability of a provider supplies. */
export type ValuesByAbility = {
  [R in (typeof POINT_KINDS)[number] as R['ability']]: ValueOf<R['kind']>;
};

export type AbilityName = keyof ValuesByAbility;

/** The ability that supplies a kind of data about a point. */
export function abilityOf({ name }: Pick<Kind<PointRequest, unknown>, 'name'>): AbilityName {
  const row = POINT_KINDS.find(({ kind }) => kind.name === name);
  if (!row) throw new RangeError(`The kind '${name}' is not in POINT_KINDS`);
  return row.ability;
}
