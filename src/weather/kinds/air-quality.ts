import { currentKind } from './current-kind.js';
import { nullable, type Quantities } from './values.js';

export const AIR_QUANTITIES = {
  required: [],
  optional: [
    'european_aqi',
    'us_aqi',
    'pm2_5',
    'pm10',
    'ozone',
    'nitrogen_dioxide',
    'sulphur_dioxide',
    'carbon_monoxide',
  ],
} as const satisfies Quantities;

const isKilometers = (value: unknown) => typeof value === 'number' && value > 0 && value <= 1000;

/** The quality of the air near the ground, by a model whose points are `resolution_km` apart. */
export const AIR_QUALITY = currentKind<typeof AIR_QUANTITIES, { resolution_km: number | null }>(
  'air-quality',
  AIR_QUANTITIES,
  { resolution_km: nullable(isKilometers) },
);
