/**
 * Returns a function that calls `make` once and gives every caller the same result. If `make` fails, the next call
 * calls it again: a transient failure must not last until the process ends.
 */
export function loadOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
