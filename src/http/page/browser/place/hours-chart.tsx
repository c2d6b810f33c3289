import { TemperatureGradient } from './temperature-gradient.js';
import { HALF_COLUMN, type Timeline } from './timeline.js';

const HEIGHT = 100;
/** Distance of the highest and of the lowest point of the curve from the top. */
const CURVE_TOP = 20;
const CURVE_BOTTOM = 70;
/** Degrees between top and bottom at least, so that small differences look small. */
const MIN_SPAN = 6;
/** Millimeters of the highest bar at least, so that drizzle looks like drizzle. */
const MIN_AMOUNT = 4;
const MAX_BAR = 45;

/**
 * The chart of the next hours: a curve of temperatures above bars of precipitation. A bar covers the hour in which the
 * precipitation falls.
 */
export function HoursChart({ timeline }: { timeline: Timeline }) {
  const { hours, days, now, width } = timeline;
  const temperatures = hours.map(({ temperature }) => temperature);
  const highest = Math.max(...temperatures);
  const span = Math.max(highest - Math.min(...temperatures), MIN_SPAN);
  const yOf = (celsius: number) =>
    CURVE_TOP + ((highest - celsius) / span) * (CURVE_BOTTOM - CURVE_TOP);
  const most = Math.max(MIN_AMOUNT, ...hours.map(({ precipitation }) => precipitation ?? 0));
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none">
      <defs>
        <TemperatureGradient id="hours-gradient" axis="y" at={yOf} />
      </defs>
      {hours.map(({ time, is_day: isDay, precipitation }, index) => {
        const x = index + HALF_COLUMN;
        // The first night begins at the edge.
        const night = index === 0 ? { x: 0, width: x + 1 } : { x, width: 1 };
        const height = ((precipitation ?? 0) / most) * MAX_BAR;
        const bar = { x: x + 0.1, y: HEIGHT - height, width: 0.8, height };
        return (
          <g key={time}>
            {!isDay && <rect class="night" {...night} height={HEIGHT} />}
            {height > 0 && <rect class="rain" {...bar} />}
          </g>
        );
      })}
      {days.slice(1).map(({ date, from }) => (
        <Line key={date} name="midnight" x={from} />
      ))}
      <path class="curve" d={curveThrough(temperatures.map(yOf))} stroke="url(#hours-gradient)" />
      <Line name="present" x={now} />
    </svg>
  );
}

function Line({ name, x }: { name: string; x: number }) {
  return <path class={name} d={`M${x} 0V${HEIGHT}`} />;
}

/**
 * Returns a smooth path that never rises above or falls below two neighbors (monotone cubic interpolation by Fritsch and
 * Carlson). @param ys the height in each column
 */
function curveThrough(ys: number[]): string {
  const parts = ys.map((y, index) => {
    const left = y - (ys[index - 1] ?? y);
    const right = (ys[index + 1] ?? y) - y;
    const slope = left * right > 0 ? (2 * left * right) / (left + right) : 0;
    const x = index + HALF_COLUMN;
    return `S${(x - 1 / 3).toFixed(2)} ${(y - slope / 3).toFixed(1)} ${x} ${y.toFixed(1)}`;
  });
  return `M${HALF_COLUMN} ${ys[0]}${parts.join('')}`;
}
