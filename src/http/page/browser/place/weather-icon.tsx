/**
 * The color of the card (see `style/colors.css`), the layers of the icon, and the WMO weather codes
 * of light, moderate, and heavy weather.
 */
const LOOKS: [tint: string, layers: string, codes: (number | null)[]][] = [
  ['accent', 'star', [0, 1]],
  ['cloud-line', 'star cloud', [2]],
  ['cloud-line', 'cloud', [3]],
  ['cloud-line', 'cloud fog', [45]],
  ['cloud-line', 'cloud rime', [48]],
  ['water', 'cloud drizzle', [51, 53, 55]],
  ['water', 'cloud drizzle ice', [56, null, 57]],
  ['water', 'cloud rain', [61, 63, 65]],
  ['water', 'cloud rain ice', [66, null, 67]],
  ['snow', 'cloud snow', [71, 73, 75]],
  ['snow', 'cloud grains', [null, 77]],
  ['water', 'star cloud rain', [80, 81, 82]],
  ['snow', 'star cloud snow', [85, null, 86]],
  ['frost', 'cloud bolt', [95]],
  ['frost', 'cloud bolt hail', [null, 96, 99]],
];

const lookOf = (code: number | null) => LOOKS.find(([, , codes]) => codes.includes(code ?? -1));

/** Returns the name of the color that tints the card. An unknown code has the color of lines. */
export function tintOf(code: number | null, isDay: boolean): string {
  const [tint = 'line'] = lookOf(code) ?? [];
  return tint === 'accent' && !isDay ? 'moon-line' : tint;
}

const MOON = <path class="moon" d="M35 35A16 16 0 1 1 23 9a13 13 0 0 0 12 26z" />;
/** The positions of drops, flakes, and stones: one for light weather, three for heavy weather. */
const POSITIONS = [33, 20, 46];
/** A drop, flake, or stone at a position. */
const FALLING: Record<string, (x: number) => string> = {
  drizzle: (x) => `M${x} 53l-1 3`,
  rain: (x) => `M${x} 50l-4 11`,
  snow: (x) => `M${x} 50v10M${x - 4} 52.5l8 5M${x + 4} 52.5l-8 5`,
  grains: (x) => `M${x} 52h.1M${x + 6} 59h.1`,
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
  ice: <path class="snow" d="M12 63h40" />,
  fog: <path class="mist" d="M12 52h40M18 59h30" />,
  rime: <path class="snow" d="M12 52h40M18 59h30" />,
  bolt: <path class="bolt" d="M36 36l-10 13h7l-3 12 11-15h-7l4-10z" />,
};

/** The picture of the weather, if its WMO code is known. The text beside it says the same. */
export function WeatherIcon({ code, isDay = true }: { code: number | null; isDay?: boolean }) {
  const [, names, codes] = lookOf(code) ?? [];
  if (names === undefined) return null;
  const layers = names.split(' ');
  const amount = codes?.indexOf(code) ?? 0;
  // A bolt has the place of the first stone.
  const positions = POSITIONS.slice(layers.includes('bolt') ? 1 : 0, amount + 1);
  // Without a cloud, the sun or moon is in the middle.
  const box = layers.includes('cloud') ? '0 0 64 64' : '-6 -6 64 64';
  return (
    <svg
      class={amount > 1 ? 'weather-icon heavy' : 'weather-icon'}
      viewBox={box}
      aria-hidden="true"
    >
      {layers.map((layer) => {
        const draw = FALLING[layer];
        if (draw) return <path key={layer} class={layer} d={positions.map(draw).join('')} />;
        return layer === 'star' && !isDay ? MOON : SHAPES[layer];
      })}
    </svg>
  );
}
