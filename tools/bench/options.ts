import { parseArgs } from 'node:util';
import { ROWS, type Row } from './rows.js';

export interface Options {
  /** The rows to measure, in the table's order. */
  rows: Row[];
  /** Rounds of each interleaved comparison. */
  rounds: number;
  quick: boolean;
  json: boolean;
  /** Whether a value that is worse than accepted is a failure. */
  check: boolean;
}

export const USAGE = `npm run bench -- [options]
  --only ROW[,ROW]  only these rows, or groups of rows
  --rounds N        rounds of each comparison (5; with --quick 3)
  --quick           about three minutes: shorter phases, smaller crowds
  --json            the results as JSON on standard output
  --check           exit with 1 when a value is worse than the one that was accepted last
rows:
${ROWS.map(({ id, what }) => `  ${id.padEnd(18)}${what}`).join('\n')}
groups: ${[...new Set(ROWS.map(({ group }) => group))].join(', ')}`;

/** @throws an Error that says what is wrong with the arguments */
export function readOptions(args: string[]): Options | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { quick, json, check } = values;
  const rounds = Number(values.rounds ?? (quick ? 3 : 5));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be at least 1');
  return { rows: chosen(values.only), rounds, quick, json, check };
}

function chosen(only: string | undefined): Row[] {
  if (only === undefined) return [...ROWS];
  const names = new Set(only.split(',').map((name) => name.trim()));
  for (const name of names) {
    if (!ROWS.some(({ id, group }) => id === name || group === name)) {
      throw new Error(`--only: no row is called "${name}"`);
    }
  }
  return ROWS.filter(({ id, group }) => names.has(id) || names.has(group));
}
