import {
  dateAt,
  msOfMph,
  oneDecimal,
  stubDay,
  stubHour,
  stubWeather,
  type Sky,
  type StubWeather,
} from './stub-provider-weather.js';

/** A value in a response. Null is sent as null, and undefined is not sent. */
export type Value = number | null | undefined;

/** The numbers of a kind of weather, each of which a service may not have. */
type Numbers<Weather> = {
  [Name in keyof Weather as Weather[Name] extends number ? Name : never]: Value;
} & { sky: Sky | null };

/** The wind is in meters per second. */
type CurrentValues = Numbers<
  Omit<StubWeather, 'latitude' | 'longitude' | 'windMs' | 'windKmh'> & { wind: number }
>;
export type DayValues = Numbers<ReturnType<typeof stubDay>>;
type HourValues = Numbers<Omit<ReturnType<typeof stubHour>, 'at' | 'windMph'> & { wind: number }>;

/** What is wrong with the data of a point. */
export interface Damage {
  /** Milliseconds by which all times of the data are in the past; in the future if negative. */
  ageMs?: number;
  /** Values of one day that replace the regular ones. */
  day?: { daysAhead: number } & Partial<DayValues>;
  /** The number of days from today to the day that is sent twice. */
  repeatedDay?: number;
}

/** The data of a point as the services send it. */
export interface Shown extends CurrentValues {
  latitude: number;
  longitude: number;
  timeZone: string;
  isDay: boolean;
  /** The weather without damage. */
  regular: StubWeather;
  /** The present of the data, in milliseconds since the Unix epoch. */
  now: number;
  damage: Damage;
}

/** The data of a point, with its damage. */
export function shownAt(latitude: number, longitude: number, damage: Damage, now: number): Shown {
  const regular = stubWeather(latitude, longitude);
  return {
    ...{ ...regular, wind: regular.windMs, regular },
    ...{ now: now - (damage.ageMs ?? 0), damage },
  };
}

/** The date that is this number of days after today. */
export function dateAhead({ timeZone, now }: Shown, days: number): string {
  const today = Date.parse(dateAt(timeZone, now));
  return new Date(today + days * 86_400_000).toISOString().slice(0, 10);
}

/** The weather of a date, with its damage. */
export function shownDay(here: Shown, date: string): DayValues & { date: string } {
  const { daysAhead, ...values } = here.damage.day ?? {};
  const isDamaged = daysAhead !== undefined && date === dateAhead(here, daysAhead);
  return { ...stubDay(here, date), ...(isDamaged ? values : {}) };
}

const HOUR_MS = 3_600_000;

/**
 * The weather of an hour, with the damage of its date. The current hour has the current weather.
 * @param at the start of the hour in milliseconds since the Unix epoch
 */
export function shownHour(here: Shown, at: number): HourValues & { at: number; dewPoint?: Value } {
  const isPresent = at === Math.floor(here.now / HOUR_MS) * HOUR_MS;
  const { windMph, ...hour } = stubHour(here.regular, at);
  const { min, max, probability, sky } = shownDay(here, dateAt(here.timeZone, at));
  return {
    ...{ ...hour, wind: msOfMph(windMph), probability, sky },
    temperature: (at / HOUR_MS) % 2 === 0 ? min : max,
    ...(isPresent
      ? pick(
          here,
          'temperature',
          'humidity',
          'dewPoint',
          'feelsLike',
          'wind',
          'direction',
          'gustMs',
          'sky',
        )
      : {}),
  };
}

function pick<T, Name extends keyof T>(value: T, ...names: Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<T, Name>;
}

/** Calculates with a value that may be missing. */
export function map(value: Value, change: (value: number) => number): Value {
  return typeof value === 'number' ? change(value) : value;
}

export const kmhOfMs = (value: Value) => map(value, (ms) => oneDecimal(ms * 3.6));

/** Values as a service sends them: one that is missing is null. */
export const listOf = <Item>(items: Item[], valueOf: (item: Item) => Value) =>
  items.map((item) => valueOf(item) ?? null);

/** The days from today on, with the repeated one. */
export function shownDays(here: Shown, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const day = shownDay(here, dateAhead(here, index));
    return index === here.damage.repeatedDay ? [day, day] : [day];
  }).flat();
}

/** The weather of the date of an instant. A period counts for the date on which most of it lies. */
export const dayAt = (here: Shown, instant: number) =>
  shownDay(here, dateAt(here.timeZone, instant));
export const dayOfPeriod = (here: Shown, at: number, hours: number) =>
  dayAt(here, at + (hours / 2) * HOUR_MS - 1);

/** The rain of the hours of a period. */
export function rainOfPeriod(here: Shown, at: number, hours: number): Value {
  const amounts = Array.from(
    { length: hours },
    (_, index) => shownHour(here, at + index * HOUR_MS).rain,
  );
  const damaged = amounts.find((amount) => typeof amount !== 'number' || amount < 0);
  if (amounts.some((amount) => amount === damaged)) return damaged;
  return oneDecimal(amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0));
}

/** The steps of a series, and those of the repeated day once more. */
export function withRepeated<Step>(here: Shown, steps: { at: number; step: Step }[]): Step[] {
  const { repeatedDay } = here.damage;
  const repeated = repeatedDay === undefined ? undefined : dateAhead(here, repeatedDay);
  return [...steps, ...steps.filter(({ at }) => dateAt(here.timeZone, at) === repeated)].map(
    ({ step }) => step,
  );
}
