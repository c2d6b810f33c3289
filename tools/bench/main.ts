import { cpus, loadavg, totalmem } from 'node:os';
import { ensureCommand } from '../../test/support/packages.js';
import { GROUPS, type GroupContext } from './groups.js';
import { readOptions, USAGE, type Options } from './options.js';
import { judge, table, worsened, type GroupResult } from './results.js';
import { hasWrk } from './tools/load.js';
import { cleanUpOnExit, scratchDirectory } from './tools/processes.js';

/** `npm run bench`: measures the table of targets, with baselines in the same run. */

const FULL = { seconds: 2, warmUpSeconds: 4, scale: 1 };
/** With more, other programs take time from the measurement, most of all from rates and times. */
const QUIET_LOAD = 0.7;
const QUICK = { seconds: 1, warmUpSeconds: 3, scale: 0.1 };

cleanUpOnExit();
scratchDirectory();
process.exit(await main());

async function main(): Promise<number> {
  let options: Options | 'help';
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (options === 'help') {
    console.log(USAGE);
    return 0;
  }
  ensureCommand('redis-server', 'redis-server');

  const started = performance.now();
  const { rows, rounds, quick } = options;
  const measured: GroupResult['rows'] = {};
  const notes = [machine(), `${rounds} rounds${quick ? ', quick: a tenth of each crowd' : ''}`];
  for (const group of new Set(rows.map((row) => row.group))) {
    const seconds = () => Math.round((performance.now() - started) / 1000);
    console.error(`[${seconds()} s] ${group}`);
    try {
      const result = await runGroup(group, {
        settings: { rounds, ...(quick ? QUICK : FULL) },
        wants: (id) => rows.some((row) => row.id === id),
        say: (text) => {
          console.error(`[${seconds()} s]   ${text}`);
        },
      });
      Object.assign(measured, result.rows);
      notes.push(...(result.notes ?? []));
    } catch (error) {
      console.error(error);
      notes.push(`${group} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const results = rows.map((row) => judge(row, measured[row.id]));
  if (options.json) console.log(JSON.stringify({ results, notes }, null, 2));
  else console.log(`${table(results)}\n\n${notes.map((note) => `- ${note}`).join('\n')}`);
  if (!options.check) return 0;
  const worse = worsened(results);
  for (const line of worse) console.error(`worse: ${line}`);
  return worse.length > 0 ? 1 : 0;
}

async function runGroup(name: string, context: Omit<GroupContext, 'onEnd'>): Promise<GroupResult> {
  const ends: (() => Promise<void> | void)[] = [];
  try {
    return await GROUPS[name]!({ ...context, onEnd: (stop) => void ends.push(stop) });
  } finally {
    for (const stop of ends.toReversed()) await stop();
  }
}

function machine(): string {
  const [cpu] = cpus();
  const [load = 0] = loadavg();
  const busy =
    load > QUIET_LOAD ? `; other programs run (load ${load.toFixed(1)}): see details` : '';
  const generator = hasWrk() ? 'wrk' : 'our own generator';
  return `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}, load by ${generator}${busy}`;
}
