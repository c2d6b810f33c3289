/** Recognizes coordinates in a typed text. */
import type { Point } from '../service/queries.js';

const NUMBER = '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)';
/** Two numbers, each with an optional degree sign and letter: `52.5, 13.4`, `33.87° S 151.2° E`. */
const POINT = new RegExp(
  `^(${NUMBER})\\s*°?\\s*([NS])?(?:\\s*[,;]\\s*|\\s+)(${NUMBER})\\s*°?\\s*([EW])?$`,
  'i',
);

/** Returns the point that a text means, with its latitude first; undefined if the text is not a pair of numbers. */
export function pointIn(text: string): Point | undefined {
  const [, lat, northOrSouth, lon, eastOrWest] = POINT.exec(text.trim().replaceAll('−', '-')) ?? [];
  if (lat === undefined || lon === undefined) return undefined;
  return { lat: withSign(lat, northOrSouth, 'S'), lon: withSign(lon, eastOrWest, 'W') };
}

function withSign(number: string, letter: string | undefined, negative: string): string {
  return letter?.toUpperCase() === negative ? String(-Number(number)) : number;
}
