/** Uses a value at once, without a promise, or as soon as the promise of it resolves. */
export function mapMaybePromise<T, U>(value: T | Promise<T>, use: (value: T) => U): U | Promise<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}
