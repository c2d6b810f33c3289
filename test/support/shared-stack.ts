import { before, beforeEach } from 'node:test';
import { suiteLifetime } from './lifetime.js';
import type { LogRecord, Service } from './service.js';
import { startStack, type Stack, type StackOptions } from './stack.js';

/**
 * One stack for all tests of a suite. Before each test, the stub provider is reset. The processes
 * keep their state, so each test must use its own places, and tests that make the providers fail
 * must be the last ones.
 */
export function useStack(options: StackOptions): () => Stack {
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

/** The records that services write from now on: those of earlier tests are ignored. */
export function recordsFromNow(services: Service[]) {
  const old = new Set(services.flatMap(({ records }) => records));
  return {
    /** Waits until each service has written such a record. @returns the first one of each */
    each: (event: string, test: (record: LogRecord) => boolean = () => true) =>
      Promise.all(
        services.map((service) =>
          service.waitFor(event, (record) => !old.has(record) && test(record)),
        ),
      ),
    /** The records with an event until now. */
    of: (event: string) =>
      services.flatMap((service) => service.of(event)).filter((record) => !old.has(record)),
  };
}
