/** Typed errors that every part may throw. `http/error-answers.ts` describes them for clients. */

/**
 * An expected error, of a client or of another system. Its stack has one line: capturing a stack
 * costs more than the rest of a rejected request.
 */
export abstract class ExpectedError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The input breaks a rule: 400. The client receives `title` and `message`. */
export class InvalidInputError extends ExpectedError {
  override readonly name = 'InvalidInputError';
  constructor(
    readonly title: string,
    message: string,
  ) {
    super(message);
  }
}

/** A parameter or field that is required is missing. */
export class MissingInputError extends InvalidInputError {}

/** The shared store (Redis) did not reply in time, is not connected, or rejects the command. */
export class StoreUnavailableError extends ExpectedError {
  override readonly name = 'StoreUnavailableError';
}

/** Returns the result of the work, or `otherwise` if the shared store is unavailable. */
export function ifUnavailable<T, U>(work: Promise<T>, otherwise: U): Promise<T | U> {
  return work.catch((error: unknown) => {
    if (error instanceof StoreUnavailableError) return otherwise;
    throw error;
  });
}
