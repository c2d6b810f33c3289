import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../support/random.js';
import { SEED } from '../support/seed.js';
import { recovers } from './recovery.js';
import { createFaults } from './faults.js';
import { startFleet, STORES } from './fleet.js';
import { createJudge } from './judge.js';
import { startClients } from './load.js';
import { watchMachine } from './machine.js';

/**
 * Real processes under load, with random faults: `npm run test:chaos -- --seed 7 --minutes 3`.
 * It prints one line per step. At the first violated rule, it prints the last steps and exits with code 1. A seed
 * repeats the schedule of the faults, but not the timing of the machine.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(SEED) },
    minutes: { type: 'string', default: '3' },
    store: { type: 'string', default: 'single' },
    replicas: { type: 'string', default: '2' },
    workers: { type: 'string', default: '1' },
    'keep-going': { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes);
const store = STORES.find((name) => name === values.store);
if (!Number.isInteger(seed) || !(minutes > 0) || !store) {
  console.error(
    'usage: npm run test:chaos -- [--seed N] [--minutes M] [--store single|sentinel|cluster] ' +
      '[--replicas N] [--workers N] [--keep-going]',
  );
  process.exit(2);
}

/** Number of steps after which the fleet must recover before the next step. */
const STEPS_UNTIL_RECOVERY = 6;
const SHOWN_STEPS = 8;
/** Milliseconds after a fault within which a process is connected again, or logs that Redis is unavailable. */
const RECOVERY_MS = 3000;

const started = performance.now();
const steps: string[] = [];
const violations: string[] = [];
const clock = () => `${((performance.now() - started) / 1000).toFixed(1).padStart(7)} s`;
function print(line: string): void {
  console.log(`${clock()}  ${line}`);
}
function step(line: string): void {
  steps.push(`${clock()}  ${line}`);
  print(line);
}
function violated(what: string): void {
  violations.push(`${clock()}  ${what}`);
  print(`VIOLATED  ${what}`);
}

print(`seed ${seed}, ${minutes} minutes, ${store}`);
const machine = await watchMachine();
const judge = createJudge(machine, violated);
const fleet = await startFleet({
  store,
  replicas: Number(values.replicas),
  workers: Number(values.workers),
  violated,
});
const faults = createFaults(fleet);

async function recovery(): Promise<void> {
  const from = performance.now();
  const { faults: wrong, isUnknown } = await recovers(fleet, machine);
  const report = isUnknown ? step : violated;
  if (isUnknown) step('the machine is too slow to decide about the recovery; the last state:');
  for (const fault of wrong) report(`not recovered after all faults: ${fault}`);
  const named = [...fleet.replicas, ...fleet.workers].filter(({ name }) =>
    wrong.some((fault) => fault.startsWith(`${name} `)),
  );
  for (const { name, lastRecords } of named)
    for (const line of lastRecords) print(`${name}: ${line}`);
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  step(`recovered after ${seconds} s; ${JSON.stringify(judge.tally)}`);
}

/** Draws one or two faults at the same time, and undoes them. Each step has its own random numbers. */
async function nextStep(number: number): Promise<void> {
  const random = createRandom(seed * 1_000_003 + number);
  const drawn = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () =>
    random.weighted(faults.map((fault) => [fault.weight, fault] as const)),
  );
  const lastsMs = random.weighted([
    [3, random.between(300, 2000)],
    [2, random.between(2000, 8000)],
    [0.3, random.between(8000, 20_000)],
  ]);
  const restMs = random.weighted([
    [1, 0],
    [2, random.between(200, 3000)],
  ]);
  const names = [...new Set(drawn)].map(({ name }) => name);
  step(`step ${number}: ${names.join(' and ')}, ${lastsMs} ms, then ${restMs} ms of rest`);
  const undo: (() => Promise<unknown>)[] = [];
  const disturbs = drawn.some(({ limits }) => limits !== 'kept');
  const forgets = drawn.some(({ limits }) => limits === 'forgotten');
  const disturbLimits = (forMs: number) => {
    if (disturbs) judge.limitsDisturbed(performance.now() + forMs + RECOVERY_MS, forgets);
  };
  disturbLimits(lastsMs);
  for (const fault of new Set(drawn)) {
    // A fault before this one can make a command of the operator impossible.
    const undone = await Promise.resolve(fault.begin(random)).catch((error: unknown) => {
      step(`  ${fault.name} was not possible: ${String(error)}`);
      return () => Promise.resolve();
    });
    undo.unshift(undone);
    disturbLimits(lastsMs);
  }
  await sleep(lastsMs);
  for (const back of undo) await back();
  disturbLimits(0);
  await sleep(restMs);
}

await recovery();
const clients = startClients(fleet, judge, seed);
await sleep(2000);
const until = performance.now() + minutes * 60_000;
for (let n = 1; performance.now() < until; n += 1) {
  if (violations.length > 0 && !values['keep-going']) break;
  await nextStep(n);
  if (n % STEPS_UNTIL_RECOVERY === 0) await recovery();
}
await recovery();
await clients.stop();
await fleet.stop();
machine.stop();

if (violations.length > 0) {
  console.log(`\nseed ${seed}: ${violations.length} rules violated\n${violations.join('\n')}`);
  console.log(`\nthe last steps\n${steps.slice(-SHOWN_STEPS).join('\n')}`);
  process.exit(1);
}
print(`seed ${seed}: no rule was violated`);
process.exit(0);
