import type { Hour } from '../state/api.js';
import { TemperatureGradient } from './temperature-gradient.js';

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
 * The chart of the next hours: a curve of temperatures above bars of precipitation. An hour is a unit of the x axis.
 * @param props.now hours since the start of the chart
 */
export function HoursChart({ hours, now }: { hours: Hour[]; now: number }) {
  const temperatures = hours.map(({ temperature }) => temperature);
  const highest = Math.max(...temperatures);
  const span = Math.max(highest - Math.min(...temperatures), MIN_SPAN);
  const yOf = (celsius: number) =>
    CURVE_TOP + ((highest - celsius) / span) * (CURVE_BOTTOM - CURVE_TOP);
  const points = temperatures.map((celsius, index) => `${index},${yOf(celsius)}`);
  const most = Math.max(MIN_AMOUNT, ...hours.map(({ precipitation }) => precipitation ?? 0));
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${hours.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <TemperatureGradient id="hours-gradient" axis="y" at={yOf} />
      {hours.map(({ is_day: isDay, precipitation }, index) => {
        const height = ((precipitation ?? 0) / most) * MAX_BAR;
        return (
          <>
            {!isDay && <rect class="night" x={index} width="1" height={HEIGHT} />}
            <rect class="rain" x={index + 0.1} y={HEIGHT - height} width="0.8" height={height} />
          </>
        );
      })}
      <polyline class="curve" points={points.join(' ')} stroke="url(#hours-gradient)" />
      <path class="present" d={`M${now} 0V${HEIGHT}`} />
    </svg>
  );
}
