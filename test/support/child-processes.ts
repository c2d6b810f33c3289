import type { ChildProcess } from 'node:child_process';
import { after } from 'node:test';

/** The processes of tests. One that outlives its file's last test is killed, and the file fails. */
const running = new Set<ChildProcess>();

/** Makes sure that a process ends with this one. */
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
    // The handler is removed now, so the same signal ends this process.
    process.kill(process.pid, signal);
  });
}

// The benchmark also starts processes, but runs no tests.
if (process.env['NODE_TEST_CONTEXT']) {
  // Hooks run in the order of their definition: this one runs after those of the test file.
  queueMicrotask(() => {
    after(() => {
      const left = killAll();
      if (left.length > 0) throw new Error(`the tests left running: ${left.join('; ')}`);
    });
  });
}
