/** What a WMO weather code means for the color of the card and for the icon. */

interface Look {
  /** The color of the card. */
  tint: 'clear' | 'overcast' | 'rain' | 'snow' | 'storm';
  /** The layers of the icon. `star` is the sun or the moon. */
  layers: string;
  codes: number[];
}

const LOOKS: readonly Look[] = [
  { tint: 'clear', layers: 'star', codes: [0, 1] },
  { tint: 'overcast', layers: 'star cloud', codes: [2] },
  { tint: 'overcast', layers: 'cloud', codes: [3] },
  { tint: 'overcast', layers: 'cloud fog', codes: [45, 48] },
  { tint: 'rain', layers: 'cloud rain', codes: [51, 53, 55, 61, 63, 65] },
  { tint: 'rain', layers: 'cloud ice', codes: [56, 57, 66, 67] },
  { tint: 'snow', layers: 'cloud snow', codes: [71, 73, 75, 77] },
  { tint: 'rain', layers: 'star cloud rain', codes: [80, 81, 82] },
  { tint: 'snow', layers: 'star cloud snow', codes: [85, 86] },
  { tint: 'storm', layers: 'cloud bolt', codes: [95] },
  { tint: 'storm', layers: 'cloud bolt ice', codes: [96, 99] },
];

const lookOf = (code: number | null) => LOOKS.find(({ codes }) => codes.includes(code ?? -1));

/** Returns the name of the color of the card in `style/colors.css`; that of the other parts for an unknown code. */
export function tintOf(code: number | null, isDay: boolean): string {
  const { tint = 'surface' } = lookOf(code) ?? {};
  return tint === 'clear' && !isDay ? 'night' : tint;
}

/** Returns the names of the layers of the icon; none for an unknown code. */
export function layersOf(code: number | null, isDay: boolean): string[] {
  const layers = lookOf(code)?.layers.replace('star', isDay ? 'sun' : 'moon');
  return layers?.split(' ') ?? [];
}
