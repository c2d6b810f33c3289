import { totalmem } from 'node:os';
import { Gauge, type Registry } from 'prom-client';
import { SERVICE_VERSION } from './version.js';

/** Makes the gauges of a registry, and those of the process itself. */
export function createGauges(registers: Registry[]) {
  /** @param collect sets the value when somebody scrapes */
  function gauge<T extends string>(
    name: string,
    help: string,
    labelNames: T[] = [],
    collect: (gauge: Gauge<T>) => void | Promise<void> = () => undefined,
  ): Gauge<T> {
    return new Gauge({
      ...{ name, help, labelNames, registers },
      collect() {
        return collect(this);
      },
    });
  }

  /** For gauges of one answer, which is asked for once a scrape. Without an answer they have no value. */
  function gaugesOf<T>(ask: () => Promise<T>) {
    let asked: Promise<T | undefined> | undefined;
    const askOnce = () =>
      (asked ??= ask()
        .catch(() => undefined)
        .finally(() => {
          asked = undefined;
        }));
    return (name: string, help: string, read: (answer: T) => number) =>
      gauge(name, help, [], async (made) => {
        const answer = await askOnce();
        if (answer === undefined) made.remove();
        else made.set(read(answer));
      });
  }

  gauge('weather_build_info', 'Always 1: the labels say what runs', ['version', 'node']).set(
    { version: SERVICE_VERSION, node: process.version },
    1,
  );
  gauge('weather_memory_limit_bytes', 'Memory that this process may use before it is killed').set(
    memoryLimit(),
  );

  return {
    gauge,
    gaugesOf,
    /** @param count how many requests have not been answered yet */
    watchRequests: (count: () => number): void => {
      const help = 'Requests that have not been answered yet';
      gauge('weather_http_requests_in_flight', help, [], (requests) => {
        requests.set(count());
      });
    },
  };
}

/** The limit of the container in bytes, where there is one; else all of the machine's memory. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  return constrained ? Math.min(constrained, totalmem()) : totalmem();
}
