import { totalmem } from 'node:os';
import { Gauge, type Registry } from 'prom-client';
import { SERVICE_VERSION } from '../base/version.js';
import { ifUnavailable } from '../base/errors.js';

export type Gauges = ReturnType<typeof createGauges>;

/** Returns functions that create gauges in a registry. Creates the gauges of the process itself. */
export function createGauges(registers: Registry[]) {
  /** @param collect sets the value at each scrape */
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

  /**
   * Returns a function that creates gauges from one query. The query runs once per scrape. While the store is
   * unavailable, the gauges have no value.
   */
  function gaugesOf<T>(query: () => Promise<T>) {
    let running: Promise<T | undefined> | undefined;
    const queryOnce = () =>
      (running ??= ifUnavailable(query(), undefined).finally(() => (running = undefined)));
    return (name: string, help: string, read: (result: T) => number) =>
      gauge(name, help, [], async (created) => {
        const result = await queryOnce();
        if (result === undefined) created.remove();
        else created.set(read(result));
      });
  }

  gauge('weather_build_info', 'Always 1: the labels say what runs', ['version', 'node']).set(
    { version: SERVICE_VERSION, node: process.version },
    1,
  );
  gauge('weather_memory_limit_bytes', 'Memory limit of this process').set(memoryLimit());

  return {
    gauge,
    gaugesOf,
    /** @param count returns the number of requests in flight */
    watchRequests: (count: () => number): void => {
      const help = 'Requests that have no response yet';
      gauge('weather_http_requests_in_flight', help, [], (requests) => {
        requests.set(count());
      });
    },
  };
}

/** Returns the memory limit of the container in bytes. Without a limit, the memory of the machine. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  return constrained ? Math.min(constrained, totalmem()) : totalmem();
}
