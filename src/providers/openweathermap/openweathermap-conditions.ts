import { UNKNOWN_CODE } from '../../weather/conditions/conditions.js';

/** The WMO code of each condition ID of OpenWeatherMap (https://openweathermap.org/weather-conditions). */
const WMO_CODES: ReadonlyMap<number, number> = new Map([
  ...codes(95, 200, 201, 202, 210, 211, 212, 221, 230, 231, 232),
  ...codes(51, 300, 310),
  ...codes(53, 301, 311, 313, 321),
  ...codes(55, 302, 312, 314),
  ...codes(61, 500),
  ...codes(63, 501),
  ...codes(65, 502, 503, 504),
  ...codes(66, 511),
  ...codes(80, 520),
  ...codes(81, 521, 531),
  ...codes(82, 522),
  ...codes(71, 600, 611, 612, 615),
  ...codes(73, 601, 613, 616),
  ...codes(75, 602),
  ...codes(85, 620),
  ...codes(86, 621, 622),
  // Mist and fog. Smoke, haze, dust, sand, and ash say nothing of the sky.
  ...codes(45, 701, 741),
  ...codes(95, 771, 781),
  ...codes(0, 800),
  ...codes(1, 801),
  ...codes(2, 802),
  ...codes(3, 803, 804),
]);

function codes(wmo: number, ...ids: number[]): [number, number][] {
  return ids.map((id) => [id, wmo]);
}

/** The WMO code of a condition ID; `UNKNOWN_CODE` for an ID that is not in the list. */
export const codeOfId = (id: number): number => WMO_CODES.get(id) ?? UNKNOWN_CODE;

/** Whether a condition ID means rain, drizzle, or snow: those of thunderstorms do, too. */
export const isWet = (id: number): boolean => id >= 200 && id < 700;
