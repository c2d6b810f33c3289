import { isCondition } from './conditions.js';
import type { Kind } from './kind.js';
import { isInstant } from './local-time.js';
import { isPointRequest, pointKey, type PointRequest } from './point.js';
import {
  maybeQuantity,
  optional,
  quantity,
  readMembers,
  type MemberChecks,
} from './read-members.js';
import type { Weather } from './types.js';

const WEATHER: MemberChecks<Weather> = {
  temperature: quantity('temperature'),
  condition: isCondition,
  humidity: quantity('humidity'),
  wind_speed: quantity('wind_speed'),
  time: optional(isInstant),
  feels_like: maybeQuantity('feels_like'),
  dew_point: maybeQuantity('dew_point'),
  pressure: maybeQuantity('pressure'),
  cloud_cover: maybeQuantity('cloud_cover'),
  precipitation: maybeQuantity('precipitation'),
  wind_direction: maybeQuantity('wind_direction'),
  wind_gusts: maybeQuantity('wind_gusts'),
  visibility: maybeQuantity('visibility'),
  uv_index: maybeQuantity('uv_index'),
};

/** The current weather at a point. */
export const CURRENT_WEATHER: Kind<PointRequest, Weather> = {
  name: 'weather',
  keyOf: ({ point }) => pointKey(point),
  isRequest: isPointRequest,
  readValue: (input) => readMembers<Weather>(input, WEATHER),
};
