/** Number of words at the end of a text without a comma that are tried as a region or country. */
const MAX_AREA_WORDS = 3;

/** A name, and the regions and countries after it. */
export interface NameParts {
  name: string;
  within: string[];
}

/** Splits a text at its commas. */
export function partsOf(text: string): NameParts {
  const [name = '', ...within] = text.split(',').map((part) => part.trim());
  return { name, within: within.filter((part) => part !== '') };
}

/** Yields complete names before a region or country: "New York USA". */
export function* withoutComma(text: string): Generator<NameParts> {
  const words = text.includes(',') ? [] : text.trim().split(' ');
  for (let count = 1; count <= MAX_AREA_WORDS && count < words.length; count++) {
    yield { name: words.slice(0, -count).join(' '), within: [words.slice(-count).join(' ')] };
  }
}
