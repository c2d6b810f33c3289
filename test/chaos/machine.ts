import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { attempt } from '../support/load.js';
import { measureTimerDelay } from '../support/timer-delay.js';

/** The lateness of this machine, which is not a fault of the service. */
export interface Machine {
  /** The longest delay of a bare server or a timer since an instant, in milliseconds. */
  lateSince(instant: number): number;
  stop(): void;
}

const ASK_EVERY_MS = 100;
const REMEMBERED_MS = 120_000;
const BARE_SERVER = `require('node:http').createServer((_, response) => response.end('{}'))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;

/** Measures the response time of a process that does nothing else. */
export async function watchMachine(): Promise<Machine> {
  const own = measureTimerDelay();
  const child = spawn(process.execPath, ['-e', BARE_SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${port.toString().trim()}/`;
  const asked: { at: number; ms: number }[] = [];
  const pending = new Set<number>();
  const timer = setInterval(() => {
    const at = performance.now();
    pending.add(at);
    void attempt(url).then(({ ms }) => {
      pending.delete(at);
      asked.push({ at, ms });
      while (asked[0] && at - asked[0].at > REMEMBERED_MS) asked.shift();
    });
  }, ASK_EVERY_MS);

  return {
    lateSince(instant) {
      const now = performance.now();
      const waits = [...pending].map((at) => now - at);
      const answers = asked.filter(({ at, ms }) => at + ms >= instant).map(({ ms }) => ms);
      return Math.max(own.since(instant), 0, ...waits, ...answers);
    },
    stop() {
      clearInterval(timer);
      own.stop();
      child.kill('SIGKILL');
    },
  };
}
