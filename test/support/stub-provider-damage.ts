import {
  dateAt,
  stubDay,
  stubWeather,
  type Sky,
  type StubWeather,
} from './stub-provider-weather.js';

/** A value in a response. Null is sent as null, and undefined is not sent. */
export type Value = number | null | undefined;

/** What is wrong with the data of a point. */
export interface Damage {
  /** The paths of the services whose responses have it; without them, those of every service. */
  paths?: string[];
  /** Milliseconds by which all times of the data are in the past; in the future if negative. */
  ageMs?: number;
  /** Values of the current weather that replace the regular ones. The wind is in meters per second. */
  current?: { temperature?: Value; humidity?: Value; wind?: Value; sky?: null };
  /** Values of one day that replace the regular ones. */
  day?: { daysAhead: number; min?: Value; max?: Value; probability?: Value; sky?: null };
  /** The number of days from today to the day that is sent twice. */
  repeatedDay?: number;
}

/** The data of a point as the services send it. */
export interface Shown {
  latitude: number;
  longitude: number;
  timeZone: string;
  temperature: Value;
  humidity: Value;
  windMs: Value;
  sky: Sky | null;
  isDay: boolean;
  /** The present of the data, in milliseconds since the Unix epoch. */
  now: number;
  damage: Damage;
}

/** The data of a point, with its damage. */
export function shownAt(
  latitude: number,
  longitude: number,
  warmerBy: number,
  damage: Damage,
): Shown {
  const weather: StubWeather = stubWeather(latitude, longitude, warmerBy);
  const { wind, ...current } = { wind: weather.windMs, ...damage.current };
  return {
    ...{ ...weather, ...current, windMs: wind },
    ...{ now: Date.now() - (damage.ageMs ?? 0), damage },
  };
}

/** The date that is this number of days after today. */
export function dateAhead({ timeZone, now }: Shown, days: number): string {
  const today = Date.parse(dateAt(timeZone, now));
  return new Date(today + days * 86_400_000).toISOString().slice(0, 10);
}

/** The weather of a date, with its damage. */
export function shownDay(here: Shown, date: string) {
  const { daysAhead, ...values } = here.damage.day ?? {};
  const isDamaged = daysAhead !== undefined && date === dateAhead(here, daysAhead);
  const regular: { min: Value; max: Value; probability: Value; sky: Sky | null } = stubDay(
    here,
    date,
  );
  return { date, ...regular, ...(isDamaged ? values : {}) };
}

/** Calculates with a value that may be missing. */
export function map(value: Value, change: (value: number) => number): Value {
  return typeof value === 'number' ? change(value) : value;
}
