import { UNKNOWN_CODE } from '../../weather/conditions.js';

const SUFFIX = /_(?:day|night|polartwilight)$/;

/**
 * The nearest WMO code of each weather symbol of MET Norway, without the suffix `_day`, `_night`, or `_polartwilight`. It
 * has all symbols of schemas/METJSONForecast.json (metno/weatherapi-docs), including the two misspelled ones ("lightss…").
 * There is no code for sleet: it counts as snow of the same strength. Everything with thunder counts as a thunderstorm.
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
  ['lightrainandthunder', 95],
  ['rainandthunder', 95],
  ['heavyrainandthunder', 95],
  ['lightrainshowersandthunder', 95],
  ['rainshowersandthunder', 95],
  ['heavyrainshowersandthunder', 95],
  ['lightsleetandthunder', 95],
  ['sleetandthunder', 95],
  ['heavysleetandthunder', 95],
  ['lightssleetshowersandthunder', 95],
  ['sleetshowersandthunder', 95],
  ['heavysleetshowersandthunder', 95],
  ['lightsnowandthunder', 95],
  ['snowandthunder', 95],
  ['heavysnowandthunder', 95],
  ['lightssnowshowersandthunder', 95],
  ['snowshowersandthunder', 95],
  ['heavysnowshowersandthunder', 95],
]);

/** The WMO code of a symbol such as `lightrainshowers_night`; `UNKNOWN_CODE` for a symbol that is not in the list. */
export const codeOfSymbol = (symbol: string): number =>
  WMO_CODES.get(symbol.replace(SUFFIX, '')) ?? UNKNOWN_CODE;
