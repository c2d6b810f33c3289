import type { Point } from '../types.js';

/**
 * Area of the European Copernicus Atmosphere Monitoring Service model without its outermost cells
 * (https://open-meteo.com/en/docs/air-quality-api). Outside of it, only the global model has data.
 */
const AREA = { south: 30.1, north: 71.9, west: -24.9, east: 44.9 };

/** Kilometers between two points of the European and of the global model. */
const EUROPEAN_KM = 11;
const GLOBAL_KM = 45;

/** Whether the European model has data for a point. */
export function isInCamsEurope({ latitude, longitude }: Point): boolean {
  const { south, north, west, east } = AREA;
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}

/** The resolution of the model for a point, in kilometers. */
export const camsResolution = (point: Point): number =>
  isInCamsEurope(point) ? EUROPEAN_KM : GLOBAL_KM;
