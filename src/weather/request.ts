import type { Point, Weather } from './types.js';

/** What may be fetched from upstream, once for everybody who asks for the same key. */
export type FetchRequest =
  | {
      kind: 'weather';
      point: Point;
      /** The position of a place in the gazetteer: its fetch may use what budgets keep for such. */
      isKnown?: boolean;
    }
  | { kind: 'geocode'; city: string; countryCode: string; name: string };

/** What a fetch gives. `point: null`: the geocoder knows no such place. */
export type Fetched =
  | { kind: 'weather'; weather: Weather; provider: string }
  | { kind: 'geocode'; point: Point | null; provider: string };

/** 4 decimals are 11 m: weather does not differ there, and MET Norway accepts no more. */
const PRECISION = 10_000;

/** The point that stands for all that round to it. 180° east is 180° west; -0 is 0. */
function canonicalPoint(point: Point): Point {
  const round = (degrees: number) => Math.round(degrees * PRECISION) / PRECISION + 0;
  const longitude = round(point.longitude);
  return { latitude: round(point.latitude), longitude: longitude === 180 ? -180 : longitude };
}

/**
 * A weather request for a point, in canonical form.
 * @param place of the gazetteer: the request is for a known place if that is its position
 */
export function weatherRequest(point: Point, place?: Point): FetchRequest {
  const [asked, known] = [canonicalPoint(point), place && canonicalPoint(place)];
  const isKnown = known?.latitude === asked.latitude && known.longitude === asked.longitude;
  return { kind: 'weather', point: asked, ...(isKnown && { isKnown }) };
}

/** The key under which a request is cached, deduplicated and announced. */
export function requestKey(request: FetchRequest): string {
  return request.kind === 'weather'
    ? `weather:${request.point.latitude.toFixed(4)}:${request.point.longitude.toFixed(4)}`
    : `place:${request.name}`;
}

/** What is fetched under a key. */
export function kindOf(key: string): Fetched['kind'] {
  return key.startsWith('weather:') ? 'weather' : 'geocode';
}
