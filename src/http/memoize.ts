/**
 * Gives a function that makes something for its first caller, and gives the same to all others. If that
 * fails, the next caller makes it anew: a fault must not last for the life of the process.
 */
export function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
