/** What a WMO weather code means for the colors of the page and for the icon. */

type Kind = 'clear' | 'cloud' | 'rain' | 'snow' | 'storm';

interface Look {
  /** Selects the tint. */
  kind: Kind;
  /** The layers of the icon that are visible. `star` is the sun or the moon. */
  layers: string;
}

const look = (kind: Kind, layers: string): Look => ({ kind, layers });
const CLEAR = look('clear', 'star alone');
const FOG = look('cloud', 'cloud fog');
const RAIN = look('rain', 'cloud rain');
const ICE = look('rain', 'cloud ice');
const SNOW = look('snow', 'cloud snow');
const SHOWERS = look('rain', 'star cloud rain');
const SNOW_SHOWERS = look('snow', 'star cloud snow');
const HAIL = look('storm', 'cloud bolt ice');

const LOOKS: ReadonlyMap<number, Look> = new Map([
  [0, CLEAR],
  [1, CLEAR],
  [2, look('cloud', 'star cloud')],
  [3, look('cloud', 'cloud')],
  ...[45, 48].map((code) => [code, FOG] as const),
  ...[51, 53, 55, 61, 63, 65].map((code) => [code, RAIN] as const),
  ...[56, 57, 66, 67].map((code) => [code, ICE] as const),
  ...[71, 73, 75, 77].map((code) => [code, SNOW] as const),
  ...[80, 81, 82].map((code) => [code, SHOWERS] as const),
  ...[85, 86].map((code) => [code, SNOW_SHOWERS] as const),
  [95, look('storm', 'cloud bolt')],
  ...[96, 99].map((code) => [code, HAIL] as const),
]);

/** Returns the name of the tint, such as `rain`; `night` for a clear one; undefined for an unknown code. */
export function tintOf(code: number | null, isDay: boolean): string | undefined {
  const kind = LOOKS.get(code ?? NaN)?.kind;
  return kind === 'clear' && !isDay ? 'night' : kind;
}

/** Returns the names of the layers of the icon; none for an unknown code. */
export function layersOf(code: number | null, isDay = true): string[] {
  const layers = LOOKS.get(code ?? NaN)?.layers.replace('star', isDay ? 'sun' : 'moon');
  return layers?.split(' ') ?? [];
}
