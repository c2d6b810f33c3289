import { conditionBy } from './errors.js';

export { isReply, nothingIfWrongType } from './errors.js';

/** Why Redis refused, when the error says how its node is. */
export const refusalReason = (error: unknown): string | undefined => conditionBy(error)?.reason;
