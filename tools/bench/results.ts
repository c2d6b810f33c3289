import type { Row } from './rows.js';

/** What a row came to. */
export interface Measured {
  value: number;
  /** Absolute figures and how far the rounds differ, for the reader. */
  details: string;
}

/** What a group hands back: by row id. `notes` are figures that no target is set for. */
export interface GroupResult {
  rows: Record<string, Measured>;
  notes?: string[];
}

export interface Result extends Row {
  value: number | undefined;
  details: string;
  met: boolean;
}

/** Rounded as it is shown, so that what the table says and what `--check` decides is the same. */
export function roundedTo(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Holds a measurement against its row's target. What could not be measured is a missed target. */
export function judge(row: Row, measured: Measured | undefined): Result {
  const value = measured && roundedTo(measured.value, row.digits);
  const { target } = row;
  const met =
    value !== undefined && ('atMost' in target ? value <= target.atMost : value >= target.atLeast);
  return { ...row, value, details: measured?.details ?? '', met };
}

/** One line for each missed target; none when all are met. */
export function missedTargets(results: readonly Result[]): string[] {
  return results
    .filter(({ met }) => !met)
    .map((row) => `${row.id}: ${row.what}: ${shownValue(row)}, target ${shownTarget(row)}`);
}

export function shownValue({ value, unit, digits }: Result): string {
  if (value === undefined) return 'not measured';
  return withUnit(value.toFixed(digits), unit);
}

export function shownTarget({ target, unit }: Row): string {
  return 'atMost' in target
    ? `≤ ${withUnit(String(target.atMost), unit)}`
    : `≥ ${withUnit(String(target.atLeast), unit)}`;
}

function withUnit(number: string, unit: string): string {
  return unit === '' || unit === '×' ? number : `${number} ${unit}`;
}

/** The results as a table in Markdown, its columns lined up. */
export function table(results: readonly Result[]): string {
  const head = ['row', 'what', 'now', 'target', 'met', 'first version', 'details'];
  const lines = results.map((row) => [
    row.id,
    row.what,
    shownValue(row),
    shownTarget(row),
    row.met ? 'yes' : 'NO',
    row.firstVersion,
    row.details,
  ]);
  return markdown([head, ...lines]);
}

function markdown(lines: string[][]): string {
  const widths = lines[0]!.map((_, column) =>
    Math.max(3, ...lines.map((cells) => cells[column]!.length)),
  );
  const shown = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [head, ...rest] = lines;
  const rule = widths.map((width) => '-'.repeat(width));
  return [head!, rule, ...rest].map(shown).join('\n');
}
