import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureCommand } from '../../test/support/packages.js';
import { buildCommit, RELEASES } from '../../test/upgrade/releases.js';
import { cleanUpOnExit, ROOT, scratchDirectory } from './bench-process.js';
import { SERVICE_VERSION } from '../../src/base/version.js';
import type { Group, GroupOptions } from './rounds.js';
import { measureHits } from './hits.js';
import { measureMemory } from './memory.js';
import { measureMisses } from './misses.js';
import { measureStarts } from './starts.js';
import { absoluteFigures } from './table.js';

/** `npm run bench`: measures this checkout beside another version, in the same run. */

const GROUPS: Record<string, Group> = {
  hits: measureHits,
  misses: measureMisses,
  starts: measureStarts,
  memory: measureMemory,
};

/** A higher ratio to the other version fails with `--check`. Two runs differ by less. */
const MAX_RATIO = 1.1;

const USAGE = `npm run bench -- [options]
  --beside COMMIT      the other version, any commit of this repository (default: the last release)
  --only GROUP,GROUP   only these groups: ${Object.keys(GROUPS).join(', ')}
  --table              prints the table of absolute figures of docs/performance.md, and compares with nothing
  --quick              fewer and shorter phases, and a tenth of each crowd
  --check              exit with 1 if a ratio is above ${MAX_RATIO}`;

cleanUpOnExit();
scratchDirectory();
process.exit(await main());

async function main(): Promise<number> {
  const values = optionsOf(process.argv.slice(2));
  if (values?.help) {
    console.log(USAGE);
    return 0;
  }
  const groups = values?.only.split(',').map((name) => GROUPS[name]);
  if (!values || !groups || groups.includes(undefined)) {
    console.error(USAGE);
    return 2;
  }
  ensureCommand('redis-server', 'redis-server');
  ensureCommand('wrk', 'wrk');
  const options = {
    dist: join(ROOT, 'dist'),
    rounds: values.quick ? 3 : 5,
    seconds: values.quick ? 1 : 2,
    warmUpSeconds: values.quick ? 3 : 4,
    crowd: values.quick ? 10_000 : 100_000,
  };
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.version}`;
  if (values.table) {
    await printTable(options, machine);
    return 0;
  }
  const otherDist = join(buildCommit(values.beside), 'dist');
  console.log(`${machine}, load ${loadavg()[0]}; beside ${values.beside}\n`);
  console.log('| what | ratio | lowest to highest; medians |');
  console.log('| --- | --- | --- |');
  let isSlower = false;
  for (const group of groups) {
    const stops: (() => Promise<unknown>)[] = [];
    try {
      const rows = await group!({ ...options, otherDist, onEnd: (stop) => void stops.push(stop) });
      for (const [what, { ratio, details }] of Object.entries(rows)) {
        console.log(`| ${what} | ${ratio.toFixed(2)} | ${details} |`);
        isSlower ||= ratio > MAX_RATIO;
      }
    } finally {
      for (const stop of stops.toReversed()) await stop();
    }
  }
  return values.check && isSlower ? 1 : 0;
}

/** Returns undefined, and prints why, if an argument is not an option of `USAGE`. */
function optionsOf(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        beside: { type: 'string', default: RELEASES[0]!.commit },
        only: { type: 'string', default: Object.keys(GROUPS).join(',') },
        quick: { type: 'boolean', default: false },
        table: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** Prints the table of docs/performance.md. */
async function printTable(
  options: Omit<GroupOptions, 'otherDist' | 'onEnd'>,
  machine: string,
): Promise<void> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const rows = await absoluteFigures({ ...options, onEnd: (stop) => void stops.push(stop) });
    const date = new Date().toISOString().slice(0, 10);
    console.log(`Version ${SERVICE_VERSION}, ${date}, ${machine}, load ${loadavg()[0]}:\n`);
    console.log('<!-- prettier-ignore -->');
    console.log('| what | this service | the least with Koa and Redis |');
    console.log('| --- | --- | --- |');
    for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}
