/** The requests for the weather of a place, and the bodies of their responses. What a provider lacks is null. */
import { ask } from './api-client.js';
import { searchOf, type City, type Query } from './queries.js';

/** Numbers of hours and days that the page shows. */
const HOURS = 24;
const DAYS = 7;

/** A response with its headers, which say how old the data is, and where it is from. */
export interface ApiResponse<Body> {
  body: Body;
  headers: Headers;
}

/** The place that the service found. */
export interface FoundPlace {
  city: string;
  region: string | null;
  country: string;
  /** IANA name. */
  timezone: string;
}

/** The credit that the license of the data requires. */
export interface Attribution {
  text: string;
  url: string | null;
}

/** What an hour and the present have in common. Speeds are in km/h, directions in degrees that the wind comes from. */
interface Sky {
  temperature: number;
  feels_like: number | null;
  condition: string;
  /** WMO code. */
  weather_code: number | null;
  is_day: boolean;
  humidity: number | null;
  cloud_cover: number | null;
  /** Millimeters; for the present, per hour. */
  precipitation: number | null;
  wind_speed: number | null;
  wind_direction: number | null;
  wind_gusts: number | null;
}

/** The present weather. */
export interface Conditions extends Sky {
  location: City;
  place: FoundPlace;
  dew_point: number | null;
  /** hPa at sea level. */
  pressure: number | null;
  /** Meters. */
  visibility: number | null;
  uv_index: number | null;
  provider: string;
  attribution: Attribution | null;
}

export interface Hour extends Sky {
  /** Local time with its UTC offset: `2026-11-26T14:00+01:00`. */
  time: string;
  /** Percent. */
  precipitation_probability: number | null;
}

/** The next hours. */
export interface Hours {
  hours: Hour[];
}

/** One day. Its date and times are local to the place. */
export interface Day {
  date: string;
  temperature_min: number;
  temperature_max: number;
  condition: string;
  weather_code: number | null;
  /** Millimeters. */
  precipitation: number | null;
  /** Percent. */
  precipitation_probability: number | null;
  /** Such as `2026-11-25T08:00`. */
  sunrise: string | null;
  sunset: string | null;
}

/** The next days. */
export interface Days {
  timezone: string;
  days: Day[];
}

/** Returns the path of an endpoint for a query, relative to the page. */
function pathOf(endpoint: string, query: Query): string {
  const byPoint = 'lat' in query ? '/coordinates' : '';
  return `api/v1/${endpoint}${byPoint}${searchOf(query)}`;
}

export async function askConditions(query: Query, signal: AbortSignal) {
  return (await ask(pathOf('conditions', query), signal)) as ApiResponse<Conditions>;
}

export async function askHours(query: Query, signal: AbortSignal) {
  const path = `${pathOf('forecast/hourly', query)}&hours=${HOURS}`;
  return (await ask(path, signal)) as ApiResponse<Hours>;
}

export async function askDays(query: Query, signal: AbortSignal) {
  return (await ask(`${pathOf('forecast', query)}&days=${DAYS}`, signal)) as ApiResponse<Days>;
}
