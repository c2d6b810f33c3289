/** A position in decimal degrees. */
export interface PositionText {
  lat: string;
  lon: string;
}

/** An angle as maps and phones write it, without its side: 48.1, 48.1°, 48°8'14", 48° 8.2'. */
const ANGLE =
  "([+-]?\\d{1,3}(?:\\.\\d*)?)\\s*[°º]?\\s*(?:(\\d{1,2}(?:\\.\\d+)?)\\s*'\\s*(?:(\\d{1,2}(?:\\.\\d+)?)\\s*(?:\"|'')\\s*)?)?";
const SEPARATOR = '(?:\\s*[,;/]\\s*|\\s+)';
/**
 * The side follows both angles, or precedes both: 48.1N 11.5E, N48.1 E11.5. After a side, no
 * separator is needed. Safari has no lookbehind before 16.4.
 */
const POSITIONS = [
  new RegExp(
    `^(?:geo:|lat(?:itude)?[:=]?\\s*)?${ANGLE}(?:([NSEW])${SEPARATOR}?|${SEPARATOR})(?:lon(?:gitude)?[:=]?\\s*)?${ANGLE}([NSEW])?$`,
    'i',
  ),
  new RegExp(`^([NSEW])\\s*${ANGLE}${SEPARATOR}([NSEW])\\s*${ANGLE}$`, 'i'),
];
/** Two numbers with a decimal comma. */
const DECIMAL_COMMAS = /^([^,]*\d),(\d[^,]*?)([\s;/]|,\s)([^,]*\d),(\d[^,]*)$/;
/** Decimals of a position that is computed from minutes and seconds: about one meter. */
const DECIMALS = 5;
const ORDINARY: [typed: RegExp, ordinary: string][] = [
  [/[−–]/g, '-'],
  [/[′’‘´ʹ]/g, "'"],
  [/[″”“ʺ]/g, '"'],
  [/[()[\]]/g, ''],
];

/** Returns the position that a text means, its latitude first; undefined if it means none. */
export function positionIn(text: string): PositionText | undefined {
  let plain = text;
  for (const [typed, ordinary] of ORDINARY) plain = plain.replace(typed, ordinary);
  plain = plain.trim().replace(DECIMAL_COMMAS, '$1.$2$3$4.$5');
  const [behind, before] = POSITIONS.map((position) => position.exec(plain)?.slice(1));
  if (behind) return pointOf(angleOf(behind.slice(0, 4)), angleOf(behind.slice(4)));
  const [first, ...others] = before ?? [];
  if (first === undefined) return undefined;
  return pointOf(angleOf([...others.slice(0, 3), first]), angleOf([...others.slice(4), others[3]]));
}

interface Angle {
  degrees: string;
  side: string;
}

function angleOf([degrees = '', minutes, seconds, letter = '']: (string | undefined)[]): Angle {
  const side = letter.toUpperCase();
  const isNegated = side === 'S' || side === 'W';
  if (minutes === undefined && !isNegated) return { side, degrees };
  const parts = Math.abs(Number(degrees)) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600;
  const value = degrees.startsWith('-') === isNegated ? parts : -parts;
  return { side, degrees: String(Number(value.toFixed(DECIMALS))) };
}

/** Returns the position of two angles. The longitude may come first if both name a side. */
function pointOf(first: Angle, second: Angle): PositionText | undefined {
  const isSwapped = first.side === 'E' || first.side === 'W';
  const [lat, lon] = isSwapped ? [second, first] : [first, second];
  const isInRange = Math.abs(Number(lat.degrees)) <= 90 && Math.abs(Number(lon.degrees)) <= 180;
  const isOrder = ['', 'N', 'S'].includes(lat.side) && ['', 'E', 'W'].includes(lon.side);
  return isInRange && isOrder ? { lat: lat.degrees, lon: lon.degrees } : undefined;
}
