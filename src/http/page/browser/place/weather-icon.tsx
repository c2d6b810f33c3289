/** The looks of WMO weather codes: the tint of the card (see `style/colors.css`), and the layers of the icon. */
const LOOKS = [
  { tint: 'accent', layers: ['star'], codes: [0, 1] },
  { tint: 'cloud-line', layers: ['star', 'cloud'], codes: [2] },
  { tint: 'cloud-line', layers: ['cloud'], codes: [3] },
  { tint: 'cloud-line', layers: ['cloud', 'fog'], codes: [45, 48] },
  { tint: 'water', layers: ['cloud', 'rain'], codes: [51, 53, 55, 61, 63, 65] },
  { tint: 'water', layers: ['cloud', 'ice'], codes: [56, 57, 66, 67] },
  { tint: 'moon', layers: ['cloud', 'snow'], codes: [71, 73, 75, 77] },
  { tint: 'water', layers: ['star', 'cloud', 'rain'], codes: [80, 81, 82] },
  { tint: 'moon', layers: ['star', 'cloud', 'snow'], codes: [85, 86] },
  { tint: 'frost', layers: ['cloud', 'bolt'], codes: [95] },
  { tint: 'frost', layers: ['cloud', 'bolt', 'ice'], codes: [96, 99] },
] as const;

const lookOf = (code: number | null) =>
  LOOKS.find(({ codes }: { codes: readonly number[] }) => codes.includes(code ?? -1));

/** Returns the name of the color that tints the card. An unknown code has the color of the other parts. */
export function tintOf(code: number | null, isDay: boolean): string {
  const { tint = 'surface' } = lookOf(code) ?? {};
  return tint === 'accent' && !isDay ? 'moon-line' : tint;
}

const MOON = <path class="moon" d="M35 35A16 16 0 1 1 23 9a13 13 0 0 0 12 26z" />;
/** The shapes of each layer. At night, the star is the moon. */
const SHAPES = {
  star: (
    <g class="sun">
      <path d="M26 6v5M26 41v5M6 26h5M41 26h5M12 12l3.5 3.5M36.5 36.5l3.5 3.5M40 12l-3.5 3.5M15.5 36.5l-3.5 3.5" />
      <circle cx="26" cy="26" r="10" />
    </g>
  ),
  cloud: <path class="cloud" d="M20 46a9 9 0 0 1 0-18 14 14 0 0 1 26.5-3A10.5 10.5 0 0 1 48 46z" />,
  rain: <path class="water" d="M24 51l-3 8M34 51l-3 8M44 51l-3 8" />,
  ice: <path class="water" d="M22 51v8M33 51v8M44 51v8M18 55h8M29 55h8M40 55h8" />,
  snow: <path class="water dots" d="M22 52h.1M33 52h.1M44 52h.1M27 59h.1M38 59h.1" />,
  fog: <path class="mist" d="M12 52h40M18 59h30" />,
  bolt: <path class="bolt" d="M36 40l-9 12h6l-3 10 10-13h-6l4-9z" />,
};

/** The picture of the weather, if its WMO code is known. The text beside it says the same. */
export function WeatherIcon({ code, isDay = true }: { code: number | null; isDay?: boolean }) {
  const layers: readonly (keyof typeof SHAPES)[] | undefined = lookOf(code)?.layers;
  if (!layers) return null;
  // Without a cloud, the sun or moon is in the middle.
  const box = layers.includes('cloud') ? '0 0 64 64' : '-6 -6 64 64';
  return (
    <svg class="weather-icon" viewBox={box} aria-hidden="true">
      {layers.map((layer) => (layer === 'star' && !isDay ? MOON : SHAPES[layer]))}
    </svg>
  );
}
