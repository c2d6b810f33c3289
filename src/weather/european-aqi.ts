import { plausibleValue, type Quantity } from './kinds/quantities.js';
import type { RawValues } from './kinds/values.js';

/** The points of the index between two thresholds. */
const BAND = 20;

/**
 * Concentrations in µg/m³ at which the bands of the European air quality index end, as revised in
 * 2024 (European Environment Agency, ETC HE report 2024/17). As in Open-Meteo, values between
 * thresholds are interpolated, and the last band continues beyond the last threshold.
 */
const THRESHOLDS = {
  pm2_5: [5, 15, 50, 90, 140],
  pm10: [15, 45, 120, 195, 270],
  nitrogen_dioxide: [10, 25, 60, 100, 150],
  ozone: [60, 100, 120, 160, 180],
  sulphur_dioxide: [20, 40, 125, 190, 275],
} as const satisfies Partial<Record<Quantity, readonly number[]>>;

/**
 * Computes the European air quality index of concentrations: that of the worst pollutant.
 * @returns undefined if one of the five pollutants is missing: it could be the worst one
 */
export function europeanIndex(concentrations: RawValues): number | undefined {
  const names = Object.keys(THRESHOLDS) as (keyof typeof THRESHOLDS)[];
  const indexes = names.map((name) =>
    indexOf(THRESHOLDS[name], plausibleValue(name, concentrations[name])),
  );
  return indexes.includes(NaN) ? undefined : Math.max(...indexes);
}

/** The index of one pollutant; NaN without a concentration. */
function indexOf(thresholds: readonly number[], concentration: number | null): number {
  if (concentration === null) return NaN;
  const bounds = [0, ...thresholds];
  const above = bounds.findIndex((bound) => bound > concentration);
  const band = above === -1 ? thresholds.length - 1 : above - 1;
  const from = bounds[band] ?? 0;
  const to = bounds[band + 1] ?? Infinity;
  return BAND * (band + (concentration - from) / (to - from));
}
