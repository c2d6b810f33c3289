import { isObject } from './is-object.js';

/** Maximum number of members of one object. Real ones have up to 30. Joi and zod copy objects. */
const MAX_MEMBERS = 100;
/** Maximum depth. Real texts have up to 8. The validators of zod call themselves for each level. */
const MAX_DEPTH = 20;

/**
 * Parses JSON from an untrusted service or client. The bounds are checked before the parts of the
 * value are used.
 * @param maxParts maximum number of commas and opening brackets outside of texts: the time of
 *   everything that reads the value grows with them
 * @throws SyntaxError if the text is not JSON
 * @throws BoundError if it exceeds a bound
 */
export function parseBounded(text: string, maxParts: number): unknown {
  if (countParts(text) > maxParts) {
    throw new BoundError(`more than ${maxParts} commas and opening brackets`);
  }
  const parsed: unknown = JSON.parse(text);
  const excess = excessOf(parsed, MAX_DEPTH);
  if (excess === undefined) return parsed;
  throw new BoundError(excess);
}

/** The JSON of a service or client exceeds a bound. The message completes "It has …". */
export class BoundError extends Error {
  override readonly name = 'BoundError';
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = ['"', '\\', ',', '[', '{'].map((character) =>
  character.charCodeAt(0),
);

/** Counts commas and opening brackets, except those inside of quoted texts. */
function countParts(text: string): number {
  let parts = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) {
      // The next character is escaped.
      if (code === BACKSLASH) index += 1;
    } else if (code === COMMA || code === BRACKET || code === BRACE) parts += 1;
  }
  return parts;
}

/** Returns what of a value exceeds a bound, or undefined. */
function excessOf(value: unknown, depth: number): string | undefined {
  if (depth === 0) return `more than ${MAX_DEPTH} levels`;
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (!Array.isArray(value) && members.length > MAX_MEMBERS) {
    return `an object of more than ${MAX_MEMBERS} members`;
  }
  for (const member of members) {
    const excess = excessOf(member, depth - 1);
    if (excess !== undefined) return excess;
  }
  return undefined;
}
