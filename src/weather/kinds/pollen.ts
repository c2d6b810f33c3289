import { HOUR_MS } from '../time/durations.js';
import { isInCamsEurope } from './cams-europe.js';
import { currentKind, type CurrentKind } from './current-kind.js';
import { quantitiesOf, type Quantities } from './values.js';

export const POLLEN_QUANTITIES = {
  required: [],
  optional: [
    'alder_pollen',
    'birch_pollen',
    'grass_pollen',
    'mugwort_pollen',
    'olive_pollen',
    'ragweed_pollen',
  ],
} as const satisfies Quantities;

const NONE = Object.fromEntries(quantitiesOf(POLLEN_QUANTITIES).map((name) => [name, null]));
const kind: CurrentKind<typeof POLLEN_QUANTITIES> = currentKind('pollen', POLLEN_QUANTITIES);

/** The pollen near the ground, in Europe. Elsewhere no model has it, so no provider is called. */
export const POLLEN: typeof kind = {
  ...kind,
  valueWithoutCall: ({ point }, now) =>
    isInCamsEurope(point)
      ? undefined
      : kind.readValue({ time: Math.floor(now / HOUR_MS) * HOUR_MS, ...NONE }),
};
