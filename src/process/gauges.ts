import { totalmem } from 'node:os';
import { Gauge, type Registry } from 'prom-client';
import { SERVICE_VERSION } from './version.js';

/** What this process is, what it is allowed, and what it does at the moment. */
export function createProcessGauges(registers: Registry[]): {
  /** @param inFlight how many requests have not been answered yet */
  watchRequests(inFlight: () => number): void;
} {
  new Gauge({
    name: 'weather_build_info',
    help: 'Always 1: the labels say what runs',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: SERVICE_VERSION, node: process.version }, 1);
  new Gauge({
    name: 'weather_memory_limit_bytes',
    help: 'Memory that this process may use before it is killed',
    registers,
  }).set(memoryLimit());
  let count = () => 0;
  new Gauge({
    name: 'weather_http_requests_in_flight',
    help: 'Requests that have not been answered yet',
    registers,
    collect() {
      this.set(count());
    },
  });
  return {
    watchRequests(inFlight) {
      count = inFlight;
    },
  };
}

/** The limit of the container in bytes, where there is one; else all of the machine's memory. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  return constrained ? Math.min(constrained, totalmem()) : totalmem();
}

/** A gauge, and how its value is read from the answer. */
export interface AskedGauge<T> {
  name: string;
  help: string;
  read: (answer: T) => number;
}

/** Gauges that are asked for when somebody scrapes. Without an answer they have no value. */
export function createAskedGauges<T>(
  registers: Registry[],
  ask: () => Promise<T>,
  gauges: AskedGauge<T>[],
): void {
  let asked: Promise<T | undefined> | undefined;
  /** One question for all gauges of one scrape. */
  const askOnce = () =>
    (asked ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asked = undefined;
      }));
  for (const { name, help, read } of gauges) {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const answer = await askOnce();
        if (answer === undefined) this.remove();
        else this.set(read(answer));
      },
    });
  }
}
