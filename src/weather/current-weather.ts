import { isObject } from '../is-object.js';
import { isCondition } from './conditions.js';
import type { Kind } from './kind.js';
import { isInstant } from './local-time.js';
import { isPlausible, isPlausibleOrAbsent } from './plausible.js';
import { isPointRequest, pointKey, type PointRequest } from './point.js';
import type { Weather } from './types.js';

/** The values that a provider may not report. */
const OPTIONAL = [
  'feels_like',
  'dew_point',
  'pressure',
  'cloud_cover',
  'precipitation',
  'wind_direction',
  'wind_gusts',
  'visibility',
  'uv_index',
] as const;

/** The current weather at a point. */
export const CURRENT_WEATHER: Kind<PointRequest, Weather> = {
  name: 'weather',
  keyOf: ({ point }) => pointKey(point),
  isRequest: isPointRequest,
  isValue: (input): input is Weather =>
    isObject(input) &&
    isPlausible('temperature', input['temperature']) &&
    isPlausible('humidity', input['humidity']) &&
    isPlausible('wind_speed', input['wind_speed']) &&
    isCondition(input['condition']) &&
    (input['time'] === undefined || isInstant(input['time'])) &&
    OPTIONAL.every((name) => isPlausibleOrAbsent(name, input[name])),
};
