import { totalmem } from 'node:os';
import { Gauge, type Registry } from 'prom-client';
import type { StoreMemory } from '../stores.js';
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

/** Asked when somebody scrapes. Without an answer there is no value. */
export function createMemoryGauges(registers: Registry[], ask: () => Promise<StoreMemory>): void {
  let asked: Promise<StoreMemory | undefined> | undefined;
  /** One question for both gauges of one scrape. */
  const askOnce = () =>
    (asked ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asked = undefined;
      }));
  const gauge = (about: { name: string; help: string }, read: (memory: StoreMemory) => number) =>
    new Gauge({
      ...about,
      registers,
      async collect() {
        const memory = await askOnce();
        if (memory) this.set(read(memory));
        else this.remove();
      },
    });
  gauge(
    { name: 'weather_redis_memory_used_bytes', help: 'Memory that the fullest Redis uses' },
    ({ used }) => used,
  );
  gauge(
    { name: 'weather_redis_memory_limit_bytes', help: 'maxmemory of that Redis; 0: no limit' },
    ({ limit }) => limit,
  );
}
