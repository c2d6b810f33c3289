/** Characters that could break a line, control a terminal, or hide text. JSON escapes only some. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const EVERY_UNPRINTABLE = new RegExp(UNPRINTABLE, 'gu');

/**
 * Makes text of others safe for log records and error messages: U+FFFD replaces each character that
 * is not visible, also line breaks, and a longer text is cut.
 */
export function printable(text: string, maxLength: number): string {
  const shortText = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  // Most texts need no change, and a replacement takes twice as long as a test.
  return UNPRINTABLE.test(shortText) ? shortText.replace(EVERY_UNPRINTABLE, '\ufffd') : shortText;
}
