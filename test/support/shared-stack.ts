import { before, beforeEach } from 'node:test';
import { suiteLifetime } from './lifetime.js';
import type { RedisOptions } from './redis-server.js';
import type { LogRecord, Service } from './service.js';
import { startStack, type Stack, type StackOptions } from './stack.js';

/**
 * One stack for all tests of the suite that calls this. Before each test the stand-in gives regular
 * answers and has counted nothing. What the processes know stays: each test uses places of its own,
 * and one that makes the providers fail comes last.
 */
export function useStack(options: StackOptions & { redis?: RedisOptions }): () => Stack {
  const lifetime = suiteLifetime();
  let stack: Stack | undefined;
  before(async () => {
    stack = await startStack(lifetime, options);
  });
  beforeEach(() => stack?.upstream.reset());
  return () => {
    if (!stack) throw new Error('the stack has not started');
    return stack;
  };
}

/** The records that services write from now on. */
export interface NewRecords {
  /** Waits until each of the services has written such a record; tells the first of each. */
  each(event: string, test?: (record: LogRecord) => boolean): Promise<LogRecord[]>;
  /** Those with an event so far. */
  of(event: string): LogRecord[];
}

/** Tells the records of now and later from those that earlier tests caused. */
export function recordsFromNow(services: Service[]): NewRecords {
  const old = new Set(services.flatMap(({ records }) => records));
  return {
    each: (event, test = () => true) =>
      Promise.all(
        services.map((service) =>
          service.waitFor(event, (record) => !old.has(record) && test(record)),
        ),
      ),
    of: (event) =>
      services.flatMap((service) => service.of(event)).filter((record) => !old.has(record)),
  };
}
