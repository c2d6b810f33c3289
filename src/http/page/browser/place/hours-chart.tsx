import { TemperatureGradient } from './temperature-gradient.js';
import type { TimedHour, Timeline } from './timeline.js';

const HEIGHT = 100;
/** Distance of the highest and of the lowest point of the curve from the top. */
const CURVE_TOP = 20;
const CURVE_BOTTOM = 70;
/** Degrees between top and bottom at least, so that small differences look small. */
const MIN_SPAN = 6;
/** Millimeters of the highest bar at least, so that drizzle looks like drizzle. */
const MIN_AMOUNT = 4;
const MAX_BAR = 45;
/** An hour begins in the middle of its column, where its labels are. */
export const HALF_COLUMN = 0.5;

/**
 * The chart of the next hours: a curve of temperatures above bars of precipitation. It has one unit of width per hour. A
 * bar covers the hour in which the precipitation falls.
 */
export function HoursChart({ timeline }: { timeline: Timeline }) {
  const { hours, days, length, now } = timeline;
  const temperatures = hours.map(({ temperature }) => temperature);
  const highest = Math.max(...temperatures);
  const span = Math.max(highest - Math.min(...temperatures), MIN_SPAN);
  const yOf = (celsius: number) =>
    CURVE_TOP + ((highest - celsius) / span) * (CURVE_BOTTOM - CURVE_TOP);
  const points = hours.map(({ at, temperature }) => ({ x: at + HALF_COLUMN, y: yOf(temperature) }));
  return (
    <svg class="chart" viewBox={`0 0 ${length + HALF_COLUMN} ${HEIGHT}`} preserveAspectRatio="none">
      <defs>
        <TemperatureGradient id="hours-gradient" axis="y" at={yOf} />
      </defs>
      {nightsIn(hours).map(({ from, to }) => (
        <rect key={from} class="night" x={from} width={to - from} height={HEIGHT} />
      ))}
      {days.slice(1).map(({ date, from }) => (
        <Line key={date} name="midnight" x={from + HALF_COLUMN} />
      ))}
      <Bars hours={hours} />
      <path class="curve" d={curveThrough(points)} stroke="url(#hours-gradient)" />
      {now >= 0 && <Line name="present" x={now + HALF_COLUMN} />}
    </svg>
  );
}

function Line({ name, x }: { name: string; x: number }) {
  return <path class={name} d={`M${x} 0V${HEIGHT}`} />;
}

function Bars({ hours }: { hours: TimedHour[] }) {
  const most = Math.max(MIN_AMOUNT, ...hours.map(({ precipitation }) => precipitation ?? 0));
  return (
    <>
      {hours.map(({ at, precipitation }) => {
        const height = ((precipitation ?? 0) / most) * MAX_BAR;
        if (height === 0) return null;
        const place = { x: at + HALF_COLUMN + 0.1, y: HEIGHT - height, width: 0.8, height };
        return <rect key={at} class="rain" {...place} />;
      })}
    </>
  );
}

/** Returns the nights. Bands of single hours would have visible seams. */
function nightsIn(hours: TimedHour[]): { from: number; to: number }[] {
  const nights: { from: number; to: number }[] = [];
  for (const { at, is_day: isDay } of hours) {
    if (isDay) continue;
    const from = at === 0 ? 0 : at + HALF_COLUMN;
    const to = at + HALF_COLUMN + 1;
    const last = nights.at(-1);
    if (last?.to === from) last.to = to;
    else nights.push({ from, to });
  }
  return nights;
}

interface Point {
  x: number;
  y: number;
}

/**
 * Returns a smooth path through the points that never rises above or falls below two neighbors (monotone cubic
 * interpolation by Fritsch and Carlson). It has no part where hours are missing.
 */
function curveThrough(points: Point[]): string {
  const slopes = points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before || !after) return 0;
    const [left, right] = [slope(before, point), slope(point, after)];
    return left * right > 0 ? (2 * left * right) / (left + right) : 0;
  });
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (!before || x - before.x > 1) return `M${x} ${y.toFixed(1)}`;
      const third = (x - before.x) / 3;
      const y1 = before.y + third * (slopes[index - 1] ?? 0);
      const y2 = y - third * (slopes[index] ?? 0);
      const ends = `${(before.x + third).toFixed(2)} ${y1.toFixed(1)} ${(x - third).toFixed(2)}`;
      return `C${ends} ${y2.toFixed(1)} ${x} ${y.toFixed(1)}`;
    })
    .join('');
}

const slope = (one: Point, other: Point) => (other.y - one.y) / (other.x - one.x);
