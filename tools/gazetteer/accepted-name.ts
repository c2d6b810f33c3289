/** Quotation marks that are used as an apostrophe: Ḩarrān al ‘Awāmīd. */
const QUOTES = /[‘‛`´ʹʼʽʾʿˈ]/g;
/** Characters that lookups do not accept. Digits stay: without them, it would be another name. */
const FORBIDDEN = /[^\p{L}\p{M}\p{N} \-‐‑֊־'’ʻ.,/]+/gu;

/** Names without anything to replace. Most names match. */
const PLAIN = /^[A-Za-z]+(?:[ -][A-Za-z]+)*$/;

/**
 * Replaces characters that lookups do not accept, so that clients can send the name back:
 * "Biel/Bienne" → "Biel-Bienne". Both forms have the same folded form.
 */
export function acceptedName(name: string): string {
  if (PLAIN.test(name)) return name;
  return name
    .replace(QUOTES, '’')
    .replace(FORBIDDEN, ' ')
    .replace(/\/|-{2,}/g, '-')
    .replace(/ {2,}/g, ' ')
    .trim();
}
