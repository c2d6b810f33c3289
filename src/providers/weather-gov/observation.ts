import Joi from 'joi';
import { createLru } from '../../lru.js';
import { UpstreamError } from '../../errors.js';
import type { Explain } from '../../upstream/failures.js';
import { atMost } from '../../upstream/schema.js';
import type { UpstreamClient } from '../../upstream/upstream-client.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import type { Clock, Point, Weather } from '../../weather/types.js';
import { degrees, kmhFromMs, toWeather } from '../weather-values.js';
import { readIcon } from './icons.js';

export interface WeatherGovOptions {
  client: UpstreamClient;
  /** Without a path. */
  baseUrl: string;
  clock: Clock;
}

interface Measured {
  value?: number | null;
  unitCode: string;
}

interface Observation {
  properties: {
    timestamp: string;
    textDescription?: string | null;
    icon?: string | null;
    temperature: Measured;
    relativeHumidity: Measured;
    windSpeed: Measured;
  };
}

const measured = Joi.object({
  value: Joi.number().allow(null),
  unitCode: Joi.string().required(),
}).required();

const OBSERVATION = Joi.object<Observation>({
  properties: Joi.object({
    timestamp: Joi.string().isoDate().required(),
    textDescription: Joi.string().allow('', null),
    icon: Joi.string().allow('', null),
    temperature: measured,
    relativeHumidity: measured,
    windSpeed: measured,
  }).required(),
});

const GRID = Joi.object<{ properties: { gridId: string; gridX: number; gridY: number } }>({
  properties: Joi.object({
    gridId: Joi.string()
      .pattern(/^[A-Z]{3}$/)
      .required(),
    gridX: Joi.number().integer().min(0).required(),
    gridY: Joi.number().integer().min(0).required(),
  }).required(),
});

const MOST_STATIONS = 500;
const STATIONS = Joi.object<{ features: { properties: { stationIdentifier: string } }[] }>({
  features: atMost(
    MOST_STATIONS,
    Joi.array().items(
      Joi.object({
        properties: Joi.object({
          stationIdentifier: Joi.string().alphanum().max(40).required(),
        }).required(),
      }),
    ),
  ).required(),
});

/** Which stations are near a point does not change: so many points are remembered. */
const REMEMBERED_POINTS = 5000;
/** A station may be silent, or lack an instrument: then the next one is asked. */
const STATIONS_TO_ASK = 3;
/** Stations observe once an hour, or oftener. */
const OLDEST_MS = 2 * 3_600_000;

/** Outside of these boxes are no stations: the States, Alaska's far islands, and the territories. */
const COVERED = [
  { south: 17, north: 72, west: -180, east: -64 },
  { south: 51, north: 54, west: 172, east: 180 },
  { south: 13, north: 21, west: 144, east: 146.5 },
  { south: -15, north: -10.5, west: -172, east: -168 },
];

const explain: Explain = ({ status, body }) =>
  status === 404 && body.includes('/problems/InvalidPoint')
    ? { kind: 'not_covered', message: 'no station knows the point' }
    : undefined;

/**
 * Observations of the US National Weather Service (https://www.weather.gov/documentation/services-web-api).
 * No key; a User-Agent that names the caller is demanded. It knows the United States and their
 * territories. A point leads to a grid cell, the cell to its stations, a station to its last
 * observation: three calls for a new point, one afterwards. Any value of an observation may be null.
 */
export function createWeatherGov({ client, baseUrl, clock }: WeatherGovOptions): WeatherProvider {
  const name = 'weather-gov';
  const stationsNear = createLru<string, string[]>(REMEMBERED_POINTS);

  async function get<T>(path: string, schema: Joi.ObjectSchema<T>, signal: AbortSignal) {
    const url = new URL(path, baseUrl);
    return (await client.getJson({ upstream: name, url, schema, signal, explain })).body;
  }

  async function findStations(point: Point, signal: AbortSignal): Promise<string[]> {
    const { latitude, longitude } = degrees(point);
    const key = `${latitude},${longitude}`;
    const known = stationsNear.get(key);
    if (known) return known;
    const { properties } = await get(`/points/${key}`, GRID, signal);
    const { gridId, gridX, gridY } = properties;
    const path = `/gridpoints/${gridId}/${gridX},${gridY}/stations`;
    const { features } = await get(path, STATIONS, signal);
    const found = features.map((feature) => feature.properties.stationIdentifier);
    const nearest = found.slice(0, STATIONS_TO_ASK);
    stationsNear.set(key, nearest);
    return nearest;
  }

  async function observe(station: string, signal: AbortSignal): Promise<Weather> {
    const path = `/stations/${station}/observations/latest`;
    const { properties } = await get(path, OBSERVATION, signal);
    const { timestamp, icon, textDescription } = properties;
    if (clock.now() - Date.parse(timestamp) > OLDEST_MS || !icon) {
      throw new UpstreamError(name, 'bad_answer', 'the observation is old or names no sky');
    }
    return toWeather(name, {
      temperature: inUnit(properties.temperature, { 'wmoUnit:degC': 1 }),
      humidity: inUnit(properties.relativeHumidity, { 'wmoUnit:percent': 1 }),
      windSpeed: inUnit(properties.windSpeed, {
        'wmoUnit:km_h-1': 1,
        'wmoUnit:m_s-1': kmhFromMs(1),
      }),
      ...readIcon(icon, textDescription ?? ''),
    });
  }

  /** @param units by what a number in each known unit is to be multiplied */
  function inUnit({ value, unitCode }: Measured, units: Record<string, number>): number {
    const factor = units[unitCode];
    if (value == null || factor === undefined) {
      throw new UpstreamError(name, 'bad_answer', 'the observation lacks a value');
    }
    return value * factor;
  }

  return {
    name,
    covers: ({ latitude, longitude }) =>
      COVERED.some(
        ({ south, north, west, east }) =>
          latitude >= south && latitude <= north && longitude >= west && longitude <= east,
      ),
    async current(point, signal) {
      let failure = new UpstreamError(name, 'not_covered', 'no station is near the point');
      for (const station of await findStations(point, signal)) {
        try {
          return { value: await observe(station, signal) };
        } catch (error) {
          // A 404 of a station means that it has sent nothing for long.
          if (!(error instanceof UpstreamError) || error.kind !== 'bad_answer') throw error;
          failure = error;
        }
      }
      throw failure;
    },
  };
}
