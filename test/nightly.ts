import { conclude, runInTurn, type Part } from './parts.js';
import { readSeed } from './support/seed.js';

/**
 * `npm run test:nightly [-- part …]`: what takes minutes or needs chance, from the last build. All
 * parts run, whatever becomes of those before; the exit code is 1 when one is red. Each night draws
 * with another seed, also in CI: `TEST_SEED=<number>` repeats it.
 */

const SEED = readSeed({ ...process.env, CI: '' });
/** Of one file or test: an hour of waiting for something that hangs is enough. */
const LONG = '--test-timeout=3600000';
const CHAOS_MINUTES = 4;

const tests = (paths: string) => `npx tsx test/run.ts ${LONG} ${paths}`;
/** All that is about Redis, in every topology, with another server than this machine's. */
const withServer = (name: string) =>
  `PATH="$(npx tsx test/nightly/other-redis.ts ${name}):$PATH" ` +
  tests(
    'test/conformance test/redis test/faults test/nightly/sentinel.test.ts ' +
      'test/nightly/cluster-failover.test.ts test/nightly/tls.test.ts',
  );
const chaos = (store: string) =>
  `node --import tsx test/chaos/main.ts --seed ${SEED} --minutes ${CHAOS_MINUTES} --store ${store}`;

const PARTS: Part[] = [
  // Every topology of Redis, the gazetteer's accuracy and its whole build.
  { name: 'nightly', command: tests('test/nightly') },
  // Each file starts the one engine that the checkout has.
  {
    name: 'compose',
    command: tests('--test-concurrency=1 test/compose'),
  },
  { name: 'dashboards', command: tests('test/dashboards') },
  { name: 'redis-8', command: withServer('redis') },
  { name: 'valkey-8', command: withServer('valkey') },
  { name: 'upgrade', command: `npx tsx test/upgrade/build.ts && ${tests('test/upgrade')}` },
  { name: 'soak', command: tests('test/soak') },
  { name: 'chaos-single', command: chaos('single') },
  { name: 'chaos-sentinel', command: chaos('sentinel') },
  { name: 'chaos-cluster', command: chaos('cluster') },
  {
    name: 'interleavings',
    command: `FETCH_SECONDS=600 ${tests('test/redis/fetching/interleavings.test.ts')}`,
  },
  { name: 'fuzz', command: `FUZZ_CONNECTIONS=40000 ${tests('test/hostile')}` },
  {
    name: 'limits',
    command: `LIMITS_RUNS=100 ${tests('test/redis/sliding-window.property.test.ts')}`,
  },
  // A number to look at, by the tests that import `src/`: nothing fails by it.
  {
    name: 'coverage',
    command: tests("--unit --experimental-test-coverage --test-coverage-include='src/**'"),
  },
  { name: 'bench', command: 'node --import tsx tools/bench/main.ts --check' },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  const names = PARTS.map(({ name }) => name).join(', ');
  console.error(`no such part: ${unknown.join(', ')}. There are ${names}.`);
  process.exit(2);
}
console.log(`TEST_SEED=${SEED}`);
const parts = PARTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
process.exitCode = conclude(await runInTurn(parts, { TEST_SEED: String(SEED) }));
