import type { ChildProcess } from 'node:child_process';
import { after } from 'node:test';

/**
 * The processes that tests start. None outlives its test file: what still runs after the last test
 * is killed, and fails the file.
 */
const running = new Set<ChildProcess>();

/** Watches over a process until it ends. */
export function watchOver(child: ChildProcess): void {
  running.add(child);
  const forget = () => running.delete(child);
  child.once('exit', forget);
  child.once('error', forget);
}

function killAll(): string[] {
  const left = [...running];
  for (const child of left) child.kill('SIGKILL');
  return left.map(({ spawnargs }) => spawnargs.join(' '));
}

process.once('exit', killAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    killAll();
    // The handler is gone now: the same signal ends this process as it would have before.
    process.kill(process.pid, signal);
  });
}

// The benchmarks start processes too, and run no tests.
if (process.env['NODE_TEST_CONTEXT']) {
  // Hooks run in the order of their definition: this one after all that the test file defines.
  queueMicrotask(() => {
    after(() => {
      const left = killAll();
      if (left.length > 0) throw new Error(`the tests left running: ${left.join('; ')}`);
    });
  });
}
