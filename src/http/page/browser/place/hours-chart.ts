/** The chart of the next hours: a curve of temperatures above bars of precipitation. */
import type { Hour } from '../service/weather-api.js';
import { createSvg } from '../view/elements.js';
import { HOURS_PER_COLUMN, type Timeline } from './timeline.js';

const HEIGHT = 100;
/** Distance of the curve from the top, and of its lowest point. */
const CURVE_TOP = 8;
const CURVE_BOTTOM = 66;
/** Degrees between top and bottom at least, so that small differences look small. */
const MIN_SPAN = 6;
/** Millimeters of the highest bar at least, so that drizzle looks like drizzle. */
const MIN_AMOUNT = 4;
const MAX_BAR = 45;
/** Half the width of the curve, so that a curve at 0 °C has one color. */
const HALF_STROKE = 2;

/** Creates the chart. It has one unit of width per hour, and is stretched to the width of the page. */
export function createChart({ hours, offsets, columns }: Timeline): SVGElement {
  const width = columns * HOURS_PER_COLUMN;
  const temperatures = hours.map(({ temperature }) => temperature);
  const highest = Math.max(...temperatures);
  const span = Math.max(highest - Math.min(...temperatures), MIN_SPAN);
  const yOf = (celsius: number) =>
    CURVE_TOP + ((highest - celsius) / span) * (CURVE_BOTTOM - CURVE_TOP);
  const points = hours.map(({ temperature }, index) => ({
    x: (offsets[index] ?? 0) + 0.5,
    y: yOf(temperature),
  }));
  const picture = {
    class: 'chart',
    viewBox: `0 0 ${width} ${HEIGHT}`,
    preserveAspectRatio: 'none',
  };
  const zero = Math.min(Math.max((yOf(0) + HALF_STROKE) / HEIGHT, 0), 1);
  return createSvg('svg', picture, [
    createSvg('defs', {}, [gradientAt(zero)]),
    ...nights(hours, offsets),
    ...bars(hours, offsets),
    createSvg('path', { class: 'curve', d: curveThrough(points), stroke: 'url(#freezing)' }),
  ]);
}

/** A gradient that changes from warm to cold at freezing point. @param zero its part of the height */
function gradientAt(zero: number): SVGElement {
  const axis = { id: 'freezing', gradientUnits: 'userSpaceOnUse', x1: 0, x2: 0, y1: 0, y2: HEIGHT };
  const stop = (name: string) => createSvg('stop', { class: name, offset: zero });
  return createSvg('linearGradient', axis, [stop('warm'), stop('cold')]);
}

/** A band for each night. Bands of single hours would have visible seams. */
function nights(hours: Hour[], offsets: number[]): SVGElement[] {
  const bands: { x: number; width: number }[] = [];
  for (const [index, { is_day: isDay }] of hours.entries()) {
    const x = offsets[index] ?? 0;
    const last = bands.at(-1);
    if (isDay) continue;
    if (last && last.x + last.width === x) last.width += 1;
    else bands.push({ x, width: 1 });
  }
  return bands.map((band) => createSvg('rect', { class: 'night', ...band, height: HEIGHT }));
}

function bars(hours: Hour[], offsets: number[]): SVGElement[] {
  const most = Math.max(MIN_AMOUNT, ...hours.map(({ precipitation }) => precipitation ?? 0));
  return hours.flatMap(({ precipitation }, index) => {
    const height = ((precipitation ?? 0) / most) * MAX_BAR;
    if (height === 0) return [];
    const x = (offsets[index] ?? 0) + 0.15;
    return [createSvg('rect', { class: 'rain', x, y: HEIGHT - height, width: 0.7, height })];
  });
}

/** Returns a smooth path that never rises above or falls below two neighboring points. It has no part in a gap. */
function curveThrough(points: { x: number; y: number }[]): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (!before || x - before.x > 1) return `M${x} ${y.toFixed(1)}`;
      const middle = (before.x + x) / 2;
      return `C${middle} ${before.y.toFixed(1)} ${middle} ${y.toFixed(1)} ${x} ${y.toFixed(1)}`;
    })
    .join('');
}
