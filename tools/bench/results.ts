import type { Row } from './rows.js';

/** How much worse than accepted a value may be, by its unit: times depend on the machine, ratios and counts do not. */
export const MARGINS: Readonly<Record<string, number>> = {
  '': 0,
  '×': 0.25,
  MB: 0.15,
  ms: 1,
  s: 1,
};

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
  /** Whether it reaches the target. */
  met: boolean;
  /** Whether it is about as good as what was accepted last, or better. */
  kept: boolean;
}

/** Rounded as it is shown, so that what the table says and what `--check` decides are the same. */
export function roundedTo(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Holds a measurement against its row. What could not be measured is neither met nor kept. */
export function judge(row: Row, measured: Measured | undefined): Result {
  const value = measured && roundedTo(measured.value, row.digits);
  const { target } = row;
  const reaches = (bound: number) =>
    value !== undefined && ('atMost' in target ? value <= bound : value >= bound);
  const met = reaches('atMost' in target ? target.atMost : target.atLeast);
  return { ...row, value, details: measured?.details ?? '', met, kept: reaches(worstOf(row)) };
}

/** The worst value that still counts as the accepted one, as precise as it is shown. */
function worstOf({ target, accepted, unit, digits }: Row): number {
  const margin = MARGINS[unit] ?? 0;
  const worst = 'atMost' in target ? accepted * (1 + margin) : accepted / (1 + margin);
  return roundedTo(worst, digits);
}

/** One line for each result that is worse than what was accepted; none when there is none. */
export function worsened(results: readonly Result[]): string[] {
  return results
    .filter(({ kept }) => !kept)
    .map((row) => {
      const worst = withUnit(String(worstOf(row)), row.unit);
      const bound = 'atMost' in row.target ? 'at most' : 'at least';
      return `${row.id}: ${row.what}: ${shownValue(row)}, accepted ${row.accepted}, so ${bound} ${worst}`;
    });
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
  const head = ['row', 'what', 'now', 'target', 'met', 'accepted', 'first version', 'details'];
  const lines = results.map((row) => [
    row.id,
    row.what,
    shownValue(row),
    shownTarget(row),
    row.met ? 'yes' : 'no',
    row.kept ? String(row.accepted) : `${row.accepted}: WORSE`,
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
