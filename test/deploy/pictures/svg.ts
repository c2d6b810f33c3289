import type { Series, Span } from './series.js';

/** One panel with what its queries gave. */
export interface Drawn {
  title: string;
  type: string;
  unit: string | undefined;
  noValue: string | undefined;
  gridPos: { x: number; y: number; w: number; h: number };
  series: { name: string; points: Series['points'] }[];
  /** Of a list of records. */
  lines: string[];
}

/** Pixels of one unit of Grafana's grid. */
const UNIT = { x: 50, y: 26 };
const COLOURS = ['#56a64b', '#3274d9', '#e0b400', '#e02f44', '#a352cc', '#ff780a', '#37872d'];
const MAX_NAMES = 6;

/** Draws the panels of a dashboard as its grid has them. */
export function drawDashboard(panels: Drawn[], span: Span): string {
  const height = Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h)) * UNIT.y;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 ${height}" font-family="sans-serif" font-size="11">`;
  const back = `<rect width="1200" height="${height}" fill="#f4f5f5"/>`;
  return `${[open, back, ...panels.map((panel) => drawPanel(panel, span)), '</svg>'].join('\n')}\n`;
}

function drawPanel(panel: Drawn, span: Span): string {
  const { title, type, gridPos } = panel;
  const [width, height] = [gridPos.w * UNIT.x - 6, gridPos.h * UNIT.y - 6];
  const parts = [text(8, 16, title, 'font-weight="bold"')];
  if (type === 'timeseries') parts.push(...drawChart(panel, span, width, height));
  else if (type === 'logs') parts.push(...drawLines(panel.lines, width));
  else if (type === 'stat')
    parts.push(
      text(width / 2, height / 2 + 18, lastOf(panel), 'font-size="26" text-anchor="middle"'),
    );
  else if (type !== 'row') parts.push(...drawLines(rowsOf(panel), width));
  const box = `<rect width="${width}" height="${height}" fill="${type === 'row' ? 'none' : '#fff'}"/>`;
  // A drawing of its own cuts off what is too long.
  const place = `x="${gridPos.x * UNIT.x + 3}" y="${gridPos.y * UNIT.y + 3}"`;
  return `<svg ${place} width="${width}" height="${height}">${box}${parts.join('')}</svg>`;
}

function drawChart(panel: Drawn, span: Span, width: number, height: number): string[] {
  const { series, unit } = panel;
  const top = Math.max(...series.flatMap(({ points }) => points.map(([, value]) => value)), 0);
  const [left, bottom] = [60, height - 34];
  const x = (at: number) => left + ((at - span.from) / (span.to - span.from)) * (width - left - 8);
  const y = (value: number) => bottom - (top === 0 ? 0 : value / top) * (bottom - 30);
  const lines = series.map(({ points }, n) => {
    const path = points.map(([at, value], index) => {
      const isNext = at - (points[index - 1]?.[0] ?? -Infinity) <= span.step;
      return `${isNext ? 'L' : 'M'}${x(at).toFixed(0)} ${y(value).toFixed(0)}`;
    });
    const stroke = `stroke="${colour(n)}" stroke-width="1.5"`;
    return `<path d="${path.join('')}" fill="none" ${stroke}/>`;
  });
  const axis = `<path d="M${left} 26V${bottom}H${width - 8}" fill="none" stroke="#aaa"/>`;
  const names = series
    .slice(0, MAX_NAMES)
    .map(({ name }, n) => `<tspan fill="${colour(n)}">${escape(name)}  </tspan>`);
  if (series.length > MAX_NAMES) names.push(`<tspan>and ${series.length - MAX_NAMES} more</tspan>`);
  return [
    axis,
    text(left - 4, 36, format(top, unit), 'text-anchor="end"'),
    text(left - 4, bottom, '0', 'text-anchor="end"'),
    ...lines,
    `<text x="8" y="${height - 12}">${names.join('') || 'nothing yet: 0'}</text>`,
  ];
}

const drawLines = (lines: string[], width: number): string[] =>
  lines.map((line, n) =>
    text(8, 34 + n * 15, line.slice(0, width / 6), 'font-family="monospace" font-size="10"'),
  );

const rowsOf = ({ series, unit }: Drawn): string[] =>
  series
    .slice(0, 10)
    .map(({ name, points }) => `${format(points.at(-1)?.[1] ?? 0, unit).padStart(8)}  ${name}`);

const lastOf = ({ series, unit, noValue = 'No data' }: Drawn): string =>
  series.map(({ points }) => format(points.at(-1)?.[1] ?? 0, unit)).join('  ') || noValue;

function format(value: number, unit: string | undefined): string {
  if (unit === 'percentunit') return `${Number((value * 100).toPrecision(3))} %`;
  const suffix = { reqps: '/s', s: ' s', ms: ' ms' }[unit ?? ''] ?? '';
  return `${Number(value.toPrecision(3))}${suffix}`;
}

const colour = (n: number): string => COLOURS[n % COLOURS.length] ?? '#000';
const escape = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const text = (x: number, y: number, value: string, more = ''): string =>
  `<text x="${x}" y="${y}" ${more} xml:space="preserve">${escape(value)}</text>`;
