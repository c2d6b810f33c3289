/** The colors of `style/colors.css` for −20, −10, … 40 °C. */
const COLORS = ['frost', 'cold', 'cool', 'mild', 'warm', 'hot', 'heat'];
const COLDEST = -20;
const HOTTEST = 40;

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
      {COLORS.map((name, index) => (
        <stop key={name} stop-color={`var(--${name})`} offset={index / (COLORS.length - 1)} />
      ))}
    </linearGradient>
  );
}
