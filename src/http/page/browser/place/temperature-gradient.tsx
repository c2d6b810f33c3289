/** The temperatures of the color scale, in °C, with the names of the colors in `style/colors.css`. */
const COLORS = [
  [-25, 'frost'],
  [-8, 'cold'],
  [5, 'cool'],
  [14, 'mild'],
  [23, 'warm'],
  [32, 'hot'],
  [44, 'heat'],
] as const;
const [[COLDEST]] = COLORS;
const HOTTEST = 44;

interface TemperatureGradientProps {
  id: string;
  axis: 'x' | 'y';
  /** Returns the coordinate of a temperature on the axis. */
  at: (celsius: number) => number | string;
}

/** A gradient in which a temperature always has the same color, whatever the scale of a chart. */
export function TemperatureGradient({ id, axis, at }: TemperatureGradientProps) {
  const [start, end] = [at(COLDEST), at(HOTTEST)];
  const ends = axis === 'x' ? { x1: start, x2: end } : { x2: 0, y1: start, y2: end };
  return (
    <linearGradient id={id} gradientUnits="userSpaceOnUse" {...ends}>
      {COLORS.map(([celsius, name]) => (
        <stop
          key={name}
          stop-color={`var(--${name})`}
          offset={(celsius - COLDEST) / (HOTTEST - COLDEST)}
        />
      ))}
    </linearGradient>
  );
}
