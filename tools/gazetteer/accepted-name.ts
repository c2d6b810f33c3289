/** Quotation marks that stand for an apostrophe: Ḩarrān al ‘Awāmīd. */
const QUOTES = /[‘‛`´ʹʼʽʾʿˈ]/g;
/** What no name that is asked for may hold. Digits stay: without them a name would be another. */
const FORBIDDEN = /[^\p{L}\p{M}\p{N} \-‐‑֊־'’ʻ.,/]+/gu;

/** Most names: nothing is to be replaced. */
const PLAIN = /^[A-Za-z]+(?:[ -][A-Za-z]+)*$/;

/**
 * A name in the characters that lookups accept, so that people can send it back: "Biel/Bienne" → "Biel-Bienne". To a
 * lookup it is the same name.
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
