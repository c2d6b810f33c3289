/** The colors of the card (see `style/colors.css`), and the layers of the icon, by WMO weather code. */
const LOOKS: Record<string, [tint: string, layers: string, codes: number[]]> = {
  clear: ['accent', 'star', [0, 1]],
  partly: ['cloud-line', 'star cloud', [2]],
  overcast: ['cloud-line', 'cloud', [3]],
  fog: ['cloud-line', 'cloud fog', [45, 48]],
  drizzle: ['water', 'cloud drizzle', [51, 53, 55]],
  rain: ['water', 'cloud rain', [61, 63, 65]],
  ice: ['water', 'cloud rain glaze', [56, 66, 57, 67]],
  snow: ['snow', 'cloud snow', [71, 73, 75]],
  grains: ['snow', 'cloud grains', [77]],
  showers: ['water', 'star cloud rain', [80, 81, 82]],
  flurries: ['snow', 'star cloud snow', [85, 86]],
  thunder: ['frost', 'cloud bolt', [95]],
  hail: ['frost', 'cloud bolt hail', [96, 99]],
};
/** The codes of light and of heavy weather. All others are moderate. */
const LIGHT = [51, 56, 61, 66, 71, 80, 85, 96];
const HEAVY = [55, 57, 65, 67, 75, 82, 86, 99];

const lookOf = (code: number | null) =>
  Object.values(LOOKS).find(([, , codes]) => codes.includes(code ?? -1));

/** Returns the name of the color that tints the card. An unknown code has the color of lines. */
export function tintOf(code: number | null, isDay: boolean): string {
  const [tint = 'line'] = lookOf(code) ?? [];
  return tint === 'accent' && !isDay ? 'moon-line' : tint;
}

const MOON = <path class="moon" d="M35 35A16 16 0 1 1 23 9a13 13 0 0 0 12 26z" />;
/** The positions of drops, flakes, and stones: the first for light weather, two for moderate, all for heavy. */
const POSITIONS = [33, 20, 46];
/** A drop, flake, or stone at a position. */
const FALLING: Record<string, (x: number) => string> = {
  drizzle: (x) => `M${x} 53l-1 3`,
  rain: (x) => `M${x} 50l-4 11`,
  snow: (x) => `M${x} 50v10M${x - 4} 52.5l8 5M${x + 4} 52.5l-8 5`,
  grains: (x) => `M${x} 55h.1`,
  hail: (x) => `M${x - 3.5} 57a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z`,
};
/** The other layers. At night, the star is the moon. */
const SHAPES: Record<string, preact.JSX.Element> = {
  star: (
    <g class="sun">
      <path d="M26 6v5M26 41v5M6 26h5M41 26h5M12 12l3.5 3.5M36.5 36.5l3.5 3.5M40 12l-3.5 3.5M15.5 36.5l-3.5 3.5" />
      <circle cx="26" cy="26" r="10" />
    </g>
  ),
  cloud: <path class="cloud" d="M20 46a9 9 0 0 1 0-18 14 14 0 0 1 26.5-3A10.5 10.5 0 0 1 48 46z" />,
  glaze: <path class="snow" d="M12 63h40" />,
  fog: <path class="mist" d="M12 52h40M18 59h30" />,
  bolt: <path class="bolt" d="M36 36l-10 13h7l-3 12 11-15h-7l4-10z" />,
};

/** The picture of the weather, if its WMO code is known. The text beside it says the same. */
export function WeatherIcon({ code, isDay = true }: { code: number | null; isDay?: boolean }) {
  const [, names] = lookOf(code) ?? [];
  if (code === null || names === undefined) return null;
  const layers = names.split(' ');
  const isHeavy = HEAVY.includes(code);
  const moderate = isHeavy ? 3 : 2;
  // A bolt is in the middle.
  const positions = layers.includes('hail')
    ? [46, 20].slice(0, isHeavy ? 2 : 1)
    : POSITIONS.slice(0, LIGHT.includes(code) ? 1 : moderate);
  // Without a cloud, the sun or moon is in the middle.
  const box = layers.includes('cloud') ? '0 0 64 64' : '-6 -6 64 64';
  return (
    <svg class={`weather-icon ${isHeavy ? 'heavy' : ''}`} viewBox={box} aria-hidden="true">
      {layers.map((layer) => {
        const draw = FALLING[layer];
        if (draw) return <path key={layer} class={layer} d={positions.map(draw).join('')} />;
        return layer === 'star' && !isDay ? MOON : SHAPES[layer];
      })}
    </svg>
  );
}
