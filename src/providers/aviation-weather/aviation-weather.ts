import Joi from 'joi';
import { isObject } from '../../base/is-object.js';
import { atMost, validate } from '../../upstream/schema.js';
import type { JsonResponse } from '../../upstream/upstream-client.js';
import type { SendCall, WeatherProvider } from '../../upstream/weather-provider.js';
import { distancesFrom } from '../../weather/distance.js';
import { UpstreamError } from '../../weather/errors.js';
import { CURRENT_WEATHER } from '../../weather/kinds/current-weather.js';
import { pointKey } from '../../weather/kinds/point.js';
import type { Scope } from '../../weather/request-scope.js';
import { createSingleFlight } from '../../weather/single-flight.js';
import { MINUTE_MS } from '../../weather/time/durations.js';
import type { ZonedPoint } from '../../weather/types.js';
import { hasNoData, readCurrent } from '../kind-values.js';
import { createMemo } from '../memo.js';
import type { ProviderOptions } from '../provider-options.js';
import { areaOf } from './aviation-weather-areas.js';
import { METAR, NAME, weatherOf, type Metar } from './aviation-weather-metar.js';

/** Maximum distance of a station in km. Farther: the weather is that of another valley or coast. */
const MAX_DISTANCE_KM = 30;
/** The distance in km that a difference in height of 100 m counts as: it is about 0.65 °C. */
const KM_PER_100_M = 10;
const MAX_HEIGHT_DIFFERENCE_M = 300;

/** The service has at most 400 entries in a response. */
const MAX_REPORTS = 400;
const REPORTS = atMost(MAX_REPORTS, Joi.any<unknown>());
/** The maximum number of stations whose report is read: the nearest may lack an instrument. */
const USED_STATIONS = 10;

/**
 * The service renews its responses once a minute. A tenth of the TTL of entries, if that is shorter:
 * an entry that is made of a memoized area is fresh for most of its TTL, and a refresh at the end of
 * the TTL makes a new call.
 */
const AREA_MS = MINUTE_MS;
const AREA_SHARE = 0.1;
const MEMOIZED_AREAS = 200;
/**
 * Longer: a station that reports again is used later. Shorter: more calls about points without one.
 */
const UNCOVERED_MS = 10 * MINUTE_MS;
const MEMOIZED_POINTS = 5000;

type AreaBoxes = ReturnType<typeof areaOf>;

/** The reports in one box, and when they were requested, by the monotonic clock. */
interface BoxResponse extends JsonResponse<unknown[]> {
  sentAt: number;
}

interface StationReport {
  report: Record<string, unknown>;
  distanceKm: number;
  box: BoxResponse;
}

/**
 * The reports of airports (METAR) of the Aviation Weather Center of NOAA, world-wide
 * (https://aviationweather.gov/data/api/). It needs no key, and rejects parameters that are not
 * documented. The weather is that of the nearest station whose report is usable. One call has the
 * reports of an area of one degree, for all points in it.
 */
export function createAviationWeather(options: ProviderOptions): WeatherProvider {
  const { client, config, clock } = options;
  const areaMs = Math.min(AREA_MS, AREA_SHARE * config.CACHE_TTL_SECONDS * 1000);
  const areas = createMemo<BoxResponse[]>(clock, MEMOIZED_AREAS, areaMs);
  const join = createSingleFlight<BoxResponse[]>({ clock, maxWaitMs: config.REQUEST_TIMEOUT_MS });
  const uncovered = createMemo<{ point: string }>(clock, MEMOIZED_POINTS, UNCOVERED_MS);

  async function fetchArea({ key, boxes }: AreaBoxes, signal: AbortSignal, send: SendCall) {
    const area: BoxResponse[] = [];
    for (const bbox of boxes) {
      const url = new URL('/api/data/metar', config.urls[NAME]);
      url.search = new URLSearchParams({ format: 'json', bbox }).toString();
      const request = { upstream: NAME, url, schema: REPORTS, empty: [], signal };
      const call = async () => {
        const sentAt = clock.monotonic();
        return { ...(await client.getJson(request)), sentAt };
      };
      area.push(await send(call, signal));
    }
    areas.set(key, area);
    return area;
  }

  /** Returns the reports of an area. Fetches about several of its points share one call. */
  async function reportsIn(boxes: AreaBoxes, signal: AbortSignal, send: SendCall) {
    const known = areas.get(boxes.key);
    if (known) return known;
    const scope = { signal, deadline: Infinity, trace: { traceId: undefined } };
    const fetched = (shared: Scope) => fetchArea(boxes, shared.signal, send);
    return (await join(boxes.key, scope, fetched)).result;
  }

  return {
    name: NAME,
    sharesCalls: true,
    covers: (point) => !uncovered.has(pointKey(point)),
    async current(point, signal, send = (call) => call()) {
      const area = await reportsIn(areaOf(point, MAX_DISTANCE_KM), signal, send);
      let damaged: UpstreamError | undefined;
      for (const { report, distanceKm, box } of stationsNear(area, point)) {
        try {
          const response = { ...box, body: validate(NAME, METAR, report) };
          const read = (metar: Metar, now: number) => weatherOf(metar, distanceKm, now);
          const weather = readCurrent(NAME, CURRENT_WEATHER, response, read);
          return { ...weather, sentAt: box.sentAt };
        } catch (error) {
          if (!(error instanceof UpstreamError)) throw error;
          if (!hasNoData(error)) damaged ??= error;
        }
      }
      // One damaged report does not keep the next station from being used.
      if (damaged) throw damaged;
      const key = pointKey(point);
      uncovered.set(key, { point: key });
      throw new UpstreamError(NAME, 'not_covered', 'no station with a usable report is near');
    },
  };
}

const reportsOf = (box: BoxResponse) => box.body.map((report) => ({ report, box }));

/** The newest report of each station near a point, the nearest station first. */
function stationsNear(area: BoxResponse[], point: ZonedPoint) {
  const distanceTo = distancesFrom(point);
  const newest = new Map<unknown, StationReport>();
  for (const { report, box } of area.flatMap(reportsOf)) {
    const { lat, lon, icaoId } = isObject(report) ? report : {};
    // 0 is the default of both in the service's schema: the position is unknown.
    if (!isObject(report) || !isDegrees(lat) || !isDegrees(lon) || (lat === 0 && lon === 0)) {
      continue;
    }
    const distanceKm = distanceTo({ latitude: lat, longitude: lon });
    const id = icaoId ?? `${lat},${lon}`;
    const known = newest.get(id);
    if (distanceKm <= MAX_DISTANCE_KM && (!known || isNewer(report, known.report))) {
      newest.set(id, { report, distanceKm, box });
    }
  }
  return [...newest.values()]
    .flatMap((station) => {
      const height = heightBetween(station.report, point);
      const cost = station.distanceKm + (height / 100) * KM_PER_100_M;
      return height > MAX_HEIGHT_DIFFERENCE_M ? [] : [{ ...station, cost }];
    })
    .sort((a, b) => a.cost - b.cost)
    .slice(0, USED_STATIONS);
}

const isDegrees = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= 180;

/** The difference in height in meters; 0 if one of the heights is unknown. */
function heightBetween({ elev }: Record<string, unknown>, { elevation }: ZonedPoint): number {
  if (typeof elev !== 'number' || elevation === undefined) return 0;
  return Math.abs(elev - elevation);
}

/** Whether a report is newer than another one of its station. A correction has the same time. */
function isNewer(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const [timeA, timeB] = [Number(a['obsTime']), Number(b['obsTime'])];
  if (timeA !== timeB) return timeA > timeB;
  return String(a['receiptTime']) > String(b['receiptTime']);
}
