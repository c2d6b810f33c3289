import { isObject } from '../base/is-object.js';

/**
 * Maximum number of commas and opening brackets in a text. The largest real responses have about 7,000. A text of the maximum
 * size with one member in every eight bytes takes more than 10 ms to parse.
 */
const MAX_PARTS = 12_000;
/** Maximum number of members of one object. Real ones have up to 30. Joi copies each object, which is slow for large ones. */
const MAX_MEMBERS = 100;
/** Maximum depth. Real responses have a depth of up to 8. */
const MAX_DEPTH = 20;

/**
 * Parses JSON from an untrusted service. The bounds are checked before the parts of the value are used, so a text of the
 * maximum size of a response takes some milliseconds.
 * @throws Error if the text is not JSON, or exceeds a bound; its message says which
 */
export function parseBounded(text: string): unknown {
  let parts = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === BRACKET || code === BRACE) parts += 1;
  }
  if (parts > MAX_PARTS) throw new Error(`the answer has more than ${MAX_PARTS} parts`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error('the answer is not JSON');
  }
  if (isSlim(parsed, MAX_DEPTH)) return parsed;
  throw new Error(
    `the answer has an object of more than ${MAX_MEMBERS} members, or too much depth`,
  );
}

const [COMMA, BRACKET, BRACE] = [',', '[', '{'].map((character) => character.charCodeAt(0));

function isSlim(value: unknown, depth: number): boolean {
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isSlim(item, depth - 1));
  if (!isObject(value)) return true;
  const members = Object.values(value);
  return members.length <= MAX_MEMBERS && members.every((member) => isSlim(member, depth - 1));
}
