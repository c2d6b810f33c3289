import { after } from 'node:test';

/** What closes after something: the context of a test, or a suite's `suiteLifetime()`. */
export interface Lifetime {
  after(close: () => unknown): void;
}

/** For what a whole suite uses: closes it after the suite, the last opened first. */
export function suiteLifetime(): Lifetime {
  const closers: (() => unknown)[] = [];
  after(async () => {
    const failures: unknown[] = [];
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
  });
  return { after: (close) => void closers.push(close) };
}
