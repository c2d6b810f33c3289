/** Where a text stops being JSON. The messages of JSON.parse differ between versions of Node.js. */
export interface JsonMistake {
  /**
   * The index of the first character that cannot be a part of JSON; the length of a text that ends
   * too early.
   */
  position: number;
  /** What JSON has at this position. */
  expected: string;
}

/** A token after blanks: a sign, a text without its last quote, or another value. */
const TOKEN =
  /[ \t\r\n]*(?:([{}[\]:,])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*)|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|)/y;

const VALUE = 'a value';
const NAME = 'a name in double quotes';
const COLON = 'a colon';
const END = 'the end';
const IN_TEXT = 'an escaped character';
/** What follows a value in an object or an array, by its closing bracket. */
const NEXT: Record<string, string> = { '}': 'a comma or "}"', ']': 'a comma or "]"' };
const CLOSING: Record<string, string> = { '{': '}', '[': ']' };

/** Finds the first mistake in a text that is not JSON. Returns undefined for JSON. */
export function mistakeIn(text: string): JsonMistake | undefined {
  /** The closing brackets of the objects and arrays that are open. */
  const open: string[] = [];
  let expected = VALUE;
  let position = 0;
  const afterValue = () => NEXT[open.at(-1) ?? ''] ?? END;

  /** Moves on by a token. @returns whether JSON may have it */
  function accept(sign: string | undefined, isText: boolean, isEmpty: boolean): boolean {
    if (sign === undefined) {
      if (expected !== VALUE && !(isText && expected === NAME)) return false;
      expected = expected === NAME ? COLON : afterValue();
    } else if (sign in CLOSING && expected === VALUE) {
      open.push(CLOSING[sign] ?? '');
      expected = sign === '{' ? NAME : VALUE;
    } else if (sign === open.at(-1) && (isEmpty || expected === NEXT[sign])) {
      open.pop();
      expected = afterValue();
    } else if (sign === ',' && expected === NEXT[open.at(-1) ?? '']) {
      expected = open.at(-1) === '}' ? NAME : VALUE;
    } else if (sign === ':' && expected === COLON) expected = VALUE;
    else return false;
    return true;
  }

  let before: string | undefined;
  for (;;) {
    TOKEN.lastIndex = position;
    const [token = '', sign, opened, value] = TOKEN.exec(text) ?? [];
    const end = position + token.length;
    const start = end - (sign ?? opened ?? value ?? '').length;
    if (start === text.length) return expected === END ? undefined : { position: start, expected };
    const isEmpty = before !== undefined && CLOSING[before] === sign;
    const isToken = start < end && accept(sign, opened !== undefined, isEmpty);
    if (!isToken) return { position: start, expected };
    if (opened !== undefined && text[end] !== '"') return { position: end, expected: IN_TEXT };
    position = opened === undefined ? end : end + 1;
    before = sign;
  }
}
