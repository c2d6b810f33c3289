import Joi from 'joi';
import { createLru } from '../../lru.js';
import { atMost } from '../../upstream/schema.js';
import type { Point } from '../../weather/types.js';
import { degrees, timeZoneName } from '../weather-values.js';

/** Gets JSON from a path of the service. @throws UpstreamError */
export type Get = <T>(path: string, schema: Joi.ObjectSchema<T>, signal: AbortSignal) => Promise<T>;

/** The cell of the service's grid that contains a point. */
export interface GridCell {
  /** The path of the cell, such as `/gridpoints/SEW/124,67`. */
  path: string;
  /** IANA name; undefined if the service does not report it. */
  timeZone: string | undefined;
}

interface PointResponse {
  properties: { gridId: string; gridX: number; gridY: number; timeZone?: string | null };
}

const POINT = Joi.object<PointResponse>({
  properties: Joi.object({
    gridId: Joi.string()
      .pattern(/^[A-Z]{3}$/)
      .required(),
    gridX: Joi.number().integer().min(0).required(),
    gridY: Joi.number().integer().min(0).required(),
    timeZone: timeZoneName.allow(null),
  }).required(),
});

const MAX_STATIONS = 500;
const STATIONS = Joi.object<{ features: { properties: { stationIdentifier: string } }[] }>({
  features: atMost(
    MAX_STATIONS,
    Joi.array().items(
      Joi.object({
        properties: Joi.object({
          stationIdentifier: Joi.string().alphanum().max(40).required(),
        }).required(),
      }),
    ),
  ).required(),
});

/** The number of points whose grid cell and stations are memoized. Neither changes. */
const MEMOIZED_POINTS = 5000;
/** The maximum number of stations that are queried. A station can be silent, or lack an instrument. */
const USED_STATIONS = 3;

/** Finds the grid cell of a point, and the stations near it. */
export function createPoints(get: Get) {
  const cells = createLru<string, GridCell>(MEMOIZED_POINTS);
  const stations = createLru<string, string[]>(MEMOIZED_POINTS);

  async function cellOf(point: Point, signal: AbortSignal): Promise<GridCell> {
    const { latitude, longitude } = degrees(point);
    const key = `${latitude},${longitude}`;
    const known = cells.get(key);
    if (known) return known;
    const { properties } = await get(`/points/${key}`, POINT, signal);
    const { gridId, gridX, gridY, timeZone } = properties;
    const cell = {
      path: `/gridpoints/${gridId}/${gridX},${gridY}`,
      timeZone: timeZone ?? undefined,
    };
    cells.set(key, cell);
    return cell;
  }

  /** The nearest stations, the nearest first: at most three. */
  async function stationsNear(point: Point, signal: AbortSignal): Promise<string[]> {
    const { path } = await cellOf(point, signal);
    const known = stations.get(path);
    if (known) return known;
    const { features } = await get(`${path}/stations`, STATIONS, signal);
    const found = features.map(({ properties }) => properties.stationIdentifier);
    const nearest = found.slice(0, USED_STATIONS);
    stations.set(path, nearest);
    return nearest;
  }

  return { cellOf, stationsNear };
}
