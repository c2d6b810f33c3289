import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureCommand } from '../../test/support/packages.js';
import { buildCommit, RELEASES } from '../../test/upgrade/releases.js';
import { cleanUpOnExit, ROOT, scratchDirectory } from './bench-process.js';
import type { Group } from './group.js';
import { measureHits } from './hits.js';
import { measureMemory } from './memory.js';
import { measureMisses } from './misses.js';
import { missesTarget, ROWS, type Row } from './rows.js';
import { measureStarts } from './starts.js';
import type { Comparison } from './statistics.js';

/** `npm run bench`: measures this checkout beside another version, in the same run. */

const GROUPS: Record<string, Group> = {
  hits: measureHits,
  misses: measureMisses,
  starts: measureStarts,
  memory: measureMemory,
};

const USAGE = `npm run bench -- [options]
  --beside COMMIT      the other version, any commit of this repository (default: the last release)
  --only GROUP,GROUP   only these groups: ${Object.keys(GROUPS).join(', ')}
  --rounds N           pairs of measurements for each comparison (default: 5)
  --quick              shorter phases and a tenth of each crowd
  --check              exit with 1 if a ratio misses its target by more than a tenth`;

cleanUpOnExit();
scratchDirectory();
process.exit(await main());

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      beside: { type: 'string', default: RELEASES[0]!.commit },
      only: { type: 'string', default: Object.keys(GROUPS).join(',') },
      rounds: { type: 'string', default: '5' },
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const names = values.only.split(',');
  const rounds = Number(values.rounds);
  const isUnknown = names.some((name) => GROUPS[name] === undefined);
  if (values.help || isUnknown || !Number.isInteger(rounds) || rounds < 1) {
    console.error(USAGE);
    return values.help ? 0 : 2;
  }
  ensureCommand('redis-server', 'redis-server');
  ensureCommand('wrk', 'wrk');
  const options = {
    dist: join(ROOT, 'dist'),
    otherDist: join(buildCommit(values.beside), 'dist'),
    rounds,
    seconds: values.quick ? 1 : 2,
    warmUpSeconds: values.quick ? 3 : 4,
    crowd: values.quick ? 10_000 : 100_000,
  };

  const measured: Record<string, Comparison> = {};
  const notes = [`${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.version}`];
  notes.push(`other version: ${values.beside}; load of the machine before: ${loadavg()[0]}`);
  for (const name of names) {
    console.error(`measuring ${name}`);
    const stops: (() => Promise<unknown>)[] = [];
    try {
      const result = await GROUPS[name]!({ ...options, onEnd: (stop) => void stops.push(stop) });
      Object.assign(measured, result.rows);
      notes.push(...(result.notes ?? []));
    } finally {
      for (const stop of stops.toReversed()) await stop();
    }
  }

  const rows = ROWS.filter(({ id }) => measured[id]);
  console.log('| row | what | ratio | lowest to highest; medians |');
  console.log('| --- | --- | --- | --- |');
  for (const row of rows) console.log(tableLine(row, measured[row.id]!));
  for (const note of notes) console.log(`- ${note}`);
  const missed = rows.filter((row) => missesTarget(measured[row.id]!.ratio));
  if (values.check) for (const { id } of missed) console.error(`${id} misses its target`);
  return values.check && missed.length > 0 ? 1 : 0;
}

function tableLine(row: Row, { ratio, details }: Comparison): string {
  const cells = [row.id, row.what, ratio.toFixed(2), details];
  return `| ${cells.join(' | ')} |`;
}
