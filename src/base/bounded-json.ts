import { isObject } from './is-object.js';

/** Maximum number of members of one object. Real ones have up to 30. Joi and zod copy each object, also a large one. */
const MAX_MEMBERS = 100;
/** Maximum depth. Real texts have a depth of up to 8. The validators of zod call themselves for each level. */
const MAX_DEPTH = 20;

/**
 * Parses JSON from an untrusted service or client. The bounds are checked before the parts of the value are used.
 * @param maxParts maximum number of commas and opening brackets: the time of everything that reads the value grows with them
 * @throws SyntaxError if the text is not JSON
 * @throws Error if it exceeds a bound; the message says which
 */
export function parseBounded(text: string, maxParts: number): unknown {
  let parts = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === BRACKET || code === BRACE) parts += 1;
  }
  if (parts > maxParts) throw new Error(`the text has more than ${maxParts} parts`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new SyntaxError('the text is not JSON');
  }
  if (isWithinBounds(parsed, MAX_DEPTH)) return parsed;
  throw new Error(
    `the text has an object of more than ${MAX_MEMBERS} members, or is nested too deeply`,
  );
}

const [COMMA, BRACKET, BRACE] = [',', '[', '{'].map((character) => character.charCodeAt(0));

function isWithinBounds(value: unknown, depth: number): boolean {
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isWithinBounds(item, depth - 1));
  if (!isObject(value)) return true;
  const members = Object.values(value);
  return (
    members.length <= MAX_MEMBERS && members.every((member) => isWithinBounds(member, depth - 1))
  );
}
