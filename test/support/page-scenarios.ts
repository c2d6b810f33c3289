/** Weather of every kind that the page at `/` can show, by names of cities. */
import { description } from '../../tools/openapi/index.js';
import { conditionsOf, daysOf, failure, hoursOf, timesFrom, type Reply } from './page-service.js';

type Properties = Record<string, { type?: string; 'x-nullable'?: boolean }>;

interface Scenario {
  conditions: Reply;
  hours: Reply;
  days: Reply;
}

interface Traits {
  city: string;
  country: string;
  region?: string | null;
  /** Lowest and highest temperature of the days. */
  coldest: number;
  hottest: number;
  code: number;
  condition: string;
  isDay?: boolean;
  /** Millimeters in the wettest hour. */
  wettest?: number;
  timezone?: string;
  /** The local time of the first hour, and its UTC offset. */
  start?: [string, string];
}

const DATES = Array.from({ length: 7 }, (_, index) => `2026-11-${25 + index}`);

/** Weather with believable changes over hours and days. */
function scenarioOf(traits: Traits): Scenario {
  const { city, country, region = null, coldest, hottest, code, condition, isDay = true } = traits;
  const { wettest = 0, timezone = 'Europe/Berlin', start = ['13:00', '+01:00'] } = traits;
  const middle = (coldest + hottest) / 2;
  const swing = (hottest - coldest) / 2;
  const sky = { condition, weather_code: code };
  const place = { city, country, region, country_code: 'XX', latitude: 1, longitude: 2, timezone };
  const now = {
    ...sky,
    place,
    temperature: hottest - 0.4,
    is_day: isDay,
    station: { id: 'XXXX', name: `${city} International Airport`, distance_km: 12.3, elevation: 9 },
    feels_like: hottest - 3.1,
  };
  const hours = timesFrom(`2026-11-25T${start[0]}`, start[1], 24).map((time, index) => {
    const rain = Math.max(0, Math.sin(index / 3)) * wettest;
    return {
      ...sky,
      time,
      temperature: round(middle + swing * Math.cos(index / 4)),
      is_day: index < 4 || index > 18,
      precipitation: round(rain),
      precipitation_probability: Math.round(Math.min(100, rain * 40)),
    };
  });
  const days = DATES.map((date, index) => ({
    ...sky,
    date,
    temperature_min: round(coldest + swing * 0.4 * Math.sin(index)),
    temperature_max: round(hottest - swing * 0.4 * Math.cos(index)),
    precipitation: round(wettest * index),
    precipitation_probability: Math.min(100, Math.round(wettest * index * 15)),
  }));
  return {
    conditions: conditionsOf({ city, country }, {}, now),
    hours: hoursOf(hours),
    days: daysOf(days),
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

const kinds = {
  Hot: { coldest: 29, hottest: 44.4, code: 0, condition: 'Clear sky' },
  Cold: { coldest: -21, hottest: -12, code: 73, condition: 'Moderate snow fall', wettest: 0.8 },
  Night: { coldest: 4, hottest: 12, code: 1, condition: 'Mainly clear', isDay: false },
  Cloudy: { coldest: 4, hottest: 12, code: 3, condition: 'Overcast' },
  Rainy: { coldest: 6, hottest: 11, code: 63, condition: 'Moderate rain', wettest: 3 },
  Nepal: {
    ...{ coldest: -14, hottest: 9, code: 71, condition: 'Slight snow fall', wettest: 0.4 },
    timezone: 'Asia/Kathmandu',
    start: ['17:45', '+05:45'],
  },
  Stormy: { coldest: 16, hottest: 24, code: 95, condition: 'Thunderstorm', wettest: 12 },
} satisfies Record<string, Omit<Traits, 'city' | 'country'>>;

/** A described object's members with one value: all numbers 0, or all nullable members null. */
function membersOf(definition: string, value: 0 | null): Record<string, 0 | null> {
  const { properties } = description.definitions[definition] as { properties: Properties };
  const isMeant = ({ type = '', 'x-nullable': isNullable = false }: Properties[string]) =>
    value === null ? isNullable : ['integer', 'number'].includes(type);
  const names = Object.entries(properties).flatMap(([name, about]) =>
    isMeant(about) ? [name] : [],
  );
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** Weather whose values are all 0 or null. */
function scenarioWith(value: 0 | null, city: string, condition: string): Scenario {
  const location = { city, country: 'Norway' };
  const times = timesFrom('2026-11-25T13:00', '+01:00', 24);
  const hour = { ...membersOf('HourlyWeather', value), condition };
  const day = { ...membersOf('DailyWeather', value), condition };
  return {
    conditions: conditionsOf(location, {}, { ...membersOf('ConditionsRecord', value), condition }),
    hours: hoursOf(times.map((time) => ({ ...hour, time }))),
    days: daysOf(DATES.map((date) => ({ ...day, date }))),
  };
}

export const SCENARIOS: Record<string, Scenario> = {
  ...Object.fromEntries(
    Object.entries(kinds).map(([city, traits]) => [
      city,
      scenarioOf({ city, country: 'Norway', region: 'Somewhere', ...traits }),
    ]),
  ),
  Zero: scenarioWith(0, 'Zero', 'Clear sky'),
  Unknown: scenarioWith(null, 'Unknown', 'Unknown'),
  Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch: scenarioOf({
    city: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
    country: 'United Kingdom of Great Britain and Northern Ireland',
    region: 'Isle of Anglesey, Principal Area with a Long Name',
    ...kinds.Rainy,
  }),
  القاهرة: scenarioOf({ city: 'القاهرة', country: 'مصر', region: 'محافظة القاهرة', ...kinds.Hot }),
  Outage: {
    conditions: conditionsOf(
      { city: 'Outage', country: 'Norway' },
      { 'X-Cache': 'STALE', Age: '3600' },
    ),
    hours: failure(503, 'Service unavailable', { 'Retry-After': '5' }),
    days: daysOf(undefined, {
      'X-Cache': 'STALE',
      'X-Weather-Provider': 'demo',
      'X-Weather-Attribution': 'Invented weather',
    }),
  },
};
