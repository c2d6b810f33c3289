import type { Page } from 'playwright-core';
import { description } from '../../tools/openapi/index.js';
import { conditionsOf, daysOf, failure, hoursOf, timesFrom, type Reply } from './page-service.js';

/** Weather of every kind that the page at `/` can show, by names of cities. */

interface Scenario {
  conditions: Reply;
  hours: Reply;
  days: Reply;
}

const DATES = Array.from({ length: 7 }, (_, index) => `2026-11-${25 + index}`);

/** Lowest and highest temperature, WMO code, condition, and millimeters in the wettest hour. */
const KINDS: Record<string, [number, number, number, string, number]> = {
  Hot: [29, 44.4, 0, 'Clear sky', 0],
  Cold: [-21, -12, 73, 'Moderate snow fall', 0.8],
  Night: [4, 12, 1, 'Mainly clear', 0],
  Cloudy: [4, 12, 3, 'Overcast', 0],
  Rainy: [6, 11, 63, 'Moderate rain', 3],
  Nepal: [-14, 9, 71, 'Slight snow fall', 0.4],
  Stormy: [16, 24, 95, 'Thunderstorm', 12],
};
const BERLIN = ['Europe/Berlin', '2026-11-25T13:00', '+01:00'] as const;
const KATHMANDU = ['Asia/Kathmandu', '2026-11-25T17:45', '+05:45'] as const;

/** Weather that changes over hours and days. */
function scenarioOf(kind: string, city = kind, country = 'Norway', region = 'Somewhere'): Scenario {
  const [coldest, hottest, code, condition, wettest] = KINDS[kind]!;
  const [timezone, start, offset] = kind === 'Nepal' ? KATHMANDU : BERLIN;
  const sky = { condition, weather_code: code };
  const now = {
    ...sky,
    place: { city, country, region, country_code: 'XX', latitude: 1, longitude: 2, timezone },
    station: { id: 'XXXX', name: `${city} International Airport`, distance_km: 12.3, elevation: 9 },
    ...{ temperature: hottest - 0.4, feels_like: hottest - 3.1, is_day: kind !== 'Night' },
  };
  const hours = timesFrom(start, offset, 24).map((time, index) => {
    const rain = Math.max(0, Math.sin(index / 3)) * wettest;
    return {
      ...{ ...sky, time, is_day: index < 4 || index > 18, precipitation: round(rain) },
      temperature: round(coldest + ((hottest - coldest) * (1 + Math.cos(index / 4))) / 2),
      precipitation_probability: Math.round(Math.min(100, rain * 40)),
    };
  });
  const days = DATES.map((date, index) => ({
    ...{ ...sky, date, precipitation: round(wettest * index) },
    ...{ temperature_min: coldest + (index % 3), temperature_max: hottest - (index % 2) },
    precipitation_probability: Math.min(100, Math.round(wettest * index * 15)),
  }));
  return {
    conditions: conditionsOf({ city, country }, {}, now),
    hours: hoursOf(hours),
    days: daysOf(days),
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** A described object's members with one value: all numbers 0, or all nullable members null. */
function membersOf(definition: string, value: 0 | null): Record<string, 0 | null> {
  const { properties } = description.definitions[definition] as {
    properties: Record<string, { type?: string; 'x-nullable'?: boolean }>;
  };
  const names = Object.entries(properties).filter(([, { type = '', 'x-nullable': isNullable }]) =>
    value === null ? isNullable : ['integer', 'number'].includes(type),
  );
  return Object.fromEntries(names.map(([name]) => [name, value]));
}

/** Weather whose values are all 0 or null. */
function scenarioWith(value: 0 | null, city: string, condition: string): Scenario {
  const now = { ...membersOf('ConditionsRecord', value), condition };
  const hour = { ...membersOf('HourlyWeather', value), condition };
  const day = { ...membersOf('DailyWeather', value), condition };
  return {
    conditions: conditionsOf({ city, country: 'Norway' }, {}, now),
    hours: hoursOf(timesFrom('2026-11-25T13:00', '+01:00', 24).map((time) => ({ ...hour, time }))),
    days: daysOf(DATES.map((date) => ({ ...day, date }))),
  };
}

const LONG = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';
const UNITED_KINGDOM = 'United Kingdom of Great Britain and Northern Ireland';
const STALE = { 'X-Cache': 'STALE', Age: '3600' };
const DEMO = { 'X-Weather-Provider': 'demo', 'X-Weather-Attribution': 'Invented weather' };

export const SCENARIOS: Record<string, Scenario> = {
  ...Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, scenarioOf(kind)])),
  Zero: scenarioWith(0, 'Zero', 'Clear sky'),
  Unknown: scenarioWith(null, 'Unknown', 'Unknown'),
  [LONG]: scenarioOf('Rainy', LONG, UNITED_KINGDOM, 'Isle of Anglesey, Principal Area of Wales'),
  القاهرة: scenarioOf('Hot', 'القاهرة', 'مصر', 'محافظة القاهرة'),
  Outage: {
    conditions: conditionsOf({ city: 'Outage', country: 'Norway' }, STALE),
    hours: failure(503, 'Service unavailable', { 'Retry-After': '5' }),
    days: daysOf(undefined, { ...STALE, ...DEMO }),
  },
};

/** Responds in a browser to requests for the weather of a city named like a scenario. */
export async function recordWeather(page: Page): Promise<void> {
  // The first hour of the scenarios has begun.
  await page.clock.setFixedTime('2026-11-25T12:30:00Z');
  await page.route(/\/api\/v1\/(conditions|forecast)/, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const scenario = SCENARIOS[searchParams.get('city') ?? 'Cloudy'];
    if (!scenario) return route.fallback();
    const { conditions, hours, days } = scenario;
    const forecast = pathname.includes('/hourly') ? hours : days;
    const { status, body, headers } = pathname.includes('conditions') ? conditions : forecast;
    return route.fulfill({ status: status ?? 200, json: body, headers: headers ?? {} });
  });
}
