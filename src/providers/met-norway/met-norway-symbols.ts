import { UNKNOWN_CODE } from '../../weather/conditions/conditions.js';

const SUFFIX = /_(?:day|night|polartwilight)$/;
const THUNDERSTORM = 95;

/**
 * The nearest WMO code of each weather symbol of MET Norway without thunder, and without the suffix `_day`, `_night`, or
 * `_polartwilight` (schemas/METJSONForecast.json in metno/weatherapi-docs). There is no code for sleet: it counts as snow of
 * the same strength.
 */
const WMO_CODES: ReadonlyMap<string, number> = new Map([
  ['clearsky', 0],
  ['fair', 1],
  ['partlycloudy', 2],
  ['cloudy', 3],
  ['fog', 45],
  ['lightrain', 61],
  ['rain', 63],
  ['heavyrain', 65],
  ['lightrainshowers', 80],
  ['rainshowers', 81],
  ['heavyrainshowers', 82],
  ['lightsleet', 71],
  ['sleet', 73],
  ['heavysleet', 75],
  ['lightsleetshowers', 85],
  ['sleetshowers', 85],
  ['heavysleetshowers', 86],
  ['lightsnow', 71],
  ['snow', 73],
  ['heavysnow', 75],
  ['lightsnowshowers', 85],
  ['snowshowers', 85],
  ['heavysnowshowers', 86],
]);

/** The WMO code of a symbol such as `lightrainshowers_night`; `UNKNOWN_CODE` for a symbol that is not known. */
export function codeOfSymbol(symbol: string): number {
  const name = symbol.replace(SUFFIX, '');
  return name.endsWith('andthunder') ? THUNDERSTORM : (WMO_CODES.get(name) ?? UNKNOWN_CODE);
}
