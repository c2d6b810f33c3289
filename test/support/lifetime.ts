import { after } from 'node:test';

/** Runs functions at its end: the context of a test, or the `suiteLifetime()` of a suite. */
export interface Lifetime {
  after(close: () => unknown): void;
}

/** A lifetime that ends after the suite. Closes in reverse order. */
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
