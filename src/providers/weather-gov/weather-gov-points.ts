import Joi from 'joi';
import { UpstreamError } from '../../weather/errors.js';
import { createLru } from '../../base/lru.js';
import { atMost, objectOf } from '../../upstream/schema.js';
import type { JsonResponse } from '../../upstream/upstream-client.js';
import { DAY_MS } from '../../weather/time/durations.js';
import type { Clock, Point } from '../../weather/types.js';
import { degrees } from '../weather-values.js';

/** Gets JSON from a path of the service. @throws UpstreamError */
export type Get = <T>(
  path: string,
  schema: Joi.ObjectSchema<T>,
  signal: AbortSignal,
) => Promise<JsonResponse<T>>;

/** The cell of the service's grid that contains a point. */
interface GridCell {
  /** The path of the cell, such as `/gridpoints/SEW/124,67`. */
  path: string;
  /** The nearest stations, the nearest first: at most three. Undefined until they are looked up. */
  stations?: string[];
}

const natural = Joi.number().integer().min(0).required();
const POINT = objectOf({
  properties: objectOf({
    gridId: Joi.string()
      .pattern(/^[A-Z]{3}$/)
      .required(),
    gridX: natural,
    gridY: natural,
  }).required(),
});

const MAX_STATIONS = 500;
const STATION = objectOf({
  properties: objectOf({
    stationIdentifier: Joi.string().alphanum().max(40).required(),
  }).required(),
});
const STATIONS = objectOf({ features: atMost(MAX_STATIONS, STATION).required() });

const MEMOIZED_POINTS = 5000;
/** Longer: a point that the service has moved to another cell keeps an old forecast, if the service still has the old cell. */
const MEMOIZED_MS = DAY_MS;
/** The maximum number of stations that are queried. A station may not report, or may lack an instrument. */
const USED_STATIONS = 3;

/** Finds the grid cell of a point, and the stations near it. */
export function createPoints(get: Get, clock: Pick<Clock, 'monotonic'>) {
  const perf = { now: () => clock.monotonic() };
  const options = { ttl: MEMOIZED_MS, ttlResolution: 0, perf };
  const cells = createLru<string, GridCell>(MEMOIZED_POINTS, options);

  async function lookUp(key: string, signal: AbortSignal): Promise<GridCell> {
    const { properties } = (await get(`/points/${key}`, POINT, signal)).body;
    const { gridId, gridX, gridY } = properties;
    const cell: GridCell = { path: `/gridpoints/${gridId}/${gridX},${gridY}` };
    cells.set(key, cell);
    return cell;
  }

  /**
   * Makes a call about the grid cell of a point. If the service does not know the memoized cell any more, its grid has
   * changed: looks up the cell again, and repeats the call once.
   */
  async function inCell<T>(
    point: Point,
    signal: AbortSignal,
    call: (cell: GridCell) => Promise<T>,
  ): Promise<T> {
    const { latitude, longitude } = degrees(point);
    const key = `${latitude},${longitude}`;
    for (;;) {
      const known = cells.get(key);
      try {
        return await call(known ?? (await lookUp(key, signal)));
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.status !== 404) throw error;
        cells.delete(key);
        if (!known) throw error;
      }
    }
  }

  return {
    inCell,
    stationsNear: (point: Point, signal: AbortSignal): Promise<string[]> =>
      inCell(point, signal, async (cell) => {
        if (cell.stations) return cell.stations;
        const { features } = (await get(`${cell.path}/stations`, STATIONS, signal)).body;
        const names = features.map(({ properties }) => properties.stationIdentifier);
        cell.stations = names.slice(0, USED_STATIONS);
        return cell.stations;
      }),
  };
}
