import { isTimeZone } from '../time/local-time.js';
import { isObject } from '../../base/is-object.js';
import type { Point } from '../types.js';

/** Whether a value is a point on Earth. */
export function isPoint(input: unknown): input is Point {
  return isObject(input) && isWithin(input['latitude'], 90) && isWithin(input['longitude'], 180);
}

const isWithin = (degrees: unknown, max: number) =>
  typeof degrees === 'number' && Math.abs(degrees) <= max;

/** 11 m: weather does not differ within that distance, and MET Norway accepts no more decimals. */
const PRECISION = 10_000;

/** Rounds to 4 decimals. Equal results share a cache entry. 180° becomes -180°; -0 becomes 0. */
export function canonicalPoint(point: Point): Point {
  const round = (degrees: number) => Math.round(degrees * PRECISION) / PRECISION + 0;
  const longitude = round(point.longitude);
  return { latitude: round(point.latitude), longitude: longitude === 180 ? -180 : longitude };
}

/** The request of a kind about a point, which is in canonical form. */
export interface PointRequest {
  point: Point;
  /** IANA name of the time zone of the point. Jobs of 3.1 do not have it. */
  timeZone?: string | undefined;
  /** Meters above the sea. */
  elevation?: number | undefined;
}

export function pointRequest(point: Point, timeZone?: string, elevation?: number): PointRequest {
  return {
    point: canonicalPoint(point),
    ...(timeZone !== undefined && { timeZone }),
    ...(elevation !== undefined && { elevation }),
  };
}

function isPointRequest(input: unknown): input is PointRequest {
  if (!isObject(input) || !isPoint(input['point'])) return false;
  const { timeZone, elevation } = input;
  const hasHeight = elevation === undefined || Number.isFinite(elevation);
  return hasHeight && (timeZone === undefined || isTimeZone(timeZone));
}

/** Identifies a point by its coordinates with 4 decimals. */
export function pointKey(point: Point): string {
  const { latitude, longitude } = canonicalPoint(point);
  return `${latitude.toFixed(4)}:${longitude.toFixed(4)}`;
}

/** A point in a header: latitude and longitude with up to 4 decimals, as `37.2153,-93.2982`. */
export function pointText(point: Point): string {
  const { latitude, longitude } = canonicalPoint(point);
  return `${latitude},${longitude}`;
}

/** The members that all kinds about a point have. */
export const ABOUT_POINT = {
  keyOf: ({ point }: PointRequest): string => pointKey(point),
  isRequest: isPointRequest,
};
