import { map, type Shown } from './stub-provider-damage.js';

/** The air at a point, as the services report it. */

/** The ends of the European index bands by pollutant (EEA, 2024), and the first open band's. */
const ENDS: Record<string, number[]> = {
  pm2_5: [0, 5, 15, 50, 90, 140],
  pm10: [0, 15, 45, 120, 195, 270],
  no2: [0, 10, 25, 60, 100, 150],
  o3: [0, 60, 100, 120, 160, 180],
  so2: [0, 20, 40, 125, 190, 275],
};

/** The concentrations at a point in µg/m³: the same in every service. */
export function stubAir(
  here: Pick<Shown, 'wind' | 'gustMs' | 'direction' | 'uv' | 'rain' | 'clouds'>,
) {
  return {
    pm2_5: map(here.wind, (value) => oneDecimal(value * 4)),
    pm10: map(here.gustMs, (value) => oneDecimal(value * 6)),
    o3: map(here.direction, (value) => Math.round(value / 2)),
    no2: map(here.uv, (value) => oneDecimal(value * 8)),
    so2: map(here.rain, (value) => oneDecimal(value * 100)),
    co: map(here.clouds, (value) => 150 + value),
  };
}

const oneDecimal = (value: number) => Math.round(value * 10) / 10;

/** The European index as Open-Meteo computes it: the sum of the filled parts of the bands. */
export function stubEuropeanIndex(air: Record<string, number | null | undefined>): number | null {
  const indexes = Object.entries(ENDS).map(([name, ends]) => {
    const value = air[name] ?? null;
    if (value === null) return NaN;
    const parts = ends.slice(1).map((end, band) => {
      const start = ends[band]!;
      const isLast = band === ends.length - 2;
      const part = Math.max(0, (value - start) / (end - start));
      return isLast ? part : Math.min(part, 1);
    });
    return 20 * parts.reduce((sum, part) => sum + part, 0);
  });
  return indexes.some(Number.isNaN) ? null : Math.round(Math.max(...indexes));
}
