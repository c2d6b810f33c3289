import Joi from 'joi';
import { objectOf } from '../../upstream/schema.js';
import type { JsonResponse } from '../../upstream/upstream-client.js';
import { UpstreamError } from '../../weather/errors.js';
import { pointText } from '../../weather/kinds/point.js';
import { DAY_MS } from '../../weather/time/durations.js';
import type { Clock, Point } from '../../weather/types.js';
import { createMemo } from '../memo.js';

/** Gets JSON from a path of the service. @throws UpstreamError */
export type Get = <T>(
  path: string,
  schema: Joi.ObjectSchema<T>,
  signal: AbortSignal,
) => Promise<JsonResponse<T>>;

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

const MEMOIZED_POINTS = 5000;
/**
 * Longer: a point that the service has moved to another cell keeps an old forecast, if the service
 * still has the old cell.
 */
const MEMOIZED_MS = DAY_MS;

/**
 * Returns a function that makes a call about the grid cell of a point, with the path of the cell,
 * such as `/gridpoints/SEW/124,67`. If the service does not know the memoized cell any more, its
 * grid has changed: the function looks up the cell again, and repeats the call once.
 */
export function createGridCells(get: Get, clock: Pick<Clock, 'monotonic'>) {
  const cells = createMemo<{ path: string }>(clock, MEMOIZED_POINTS, MEMOIZED_MS);

  async function lookUp(key: string, signal: AbortSignal): Promise<string> {
    const { properties } = (await get(`/points/${key}`, POINT, signal)).body;
    const { gridId, gridX, gridY } = properties;
    const cell = `/gridpoints/${gridId}/${gridX},${gridY}`;
    cells.set(key, { path: cell });
    return cell;
  }

  return async <T>(
    point: Point,
    signal: AbortSignal,
    call: (cell: string) => Promise<T>,
  ): Promise<T> => {
    const key = pointText(point);
    for (;;) {
      const known = cells.get(key);
      try {
        return await call(known?.path ?? (await lookUp(key, signal)));
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.status !== 404) throw error;
        cells.delete(key);
        if (!known) throw error;
      }
    }
  };
}
