/** What a text can mean: a place of this name, in all of the areas that the other texts name. */
export interface Reading {
  /**
   * - `parts`, `reversed`: commas separate the name from the areas after or before it
   * - `whole`: the text is a name
   * - `after`, `before`: a region follows or precedes the name without a comma
   * - `behind`: the code of a region of any country, or a country, follows the name without a comma
   * - `district`: the text is a city with its district
   */
  kind: 'parts' | 'reversed' | 'whole' | 'after' | 'before' | 'behind' | 'district';
  name: string;
  /** Texts that name regions, countries, or a city nearby. */
  within: string[];
}

/** Maximum number of words that are tried as an area's name. Few areas have more. */
const MAX_WORDS = 4;
/** Characters of the longest region's name in Chinese: 新疆维吾尔自治区. */
const MAX_CHARACTERS = 8;
const NO_SPACES = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]{4,}$/u;
/** A district with its city: 中央区, 大阪市; Chuo Ward, Osaka. */
const DISTRICT_FIRST = /^(?<district>[^,]+(?:[区區구]|-[kg]u| ward| district)), *(?<city>.+)$/iu;
/** The other order: 大阪市中央区, 서울특별시 강남구. */
const CITY_FIRST =
  /^(?<city>.+市|東京都|.+[^ ,](?=[ ,]))[ ,]*(?<district>[^,]+(?:[区區구]|-[kg]u))$/iu;

/**
 * Yields the readings of a text in the one order in which lookups and suggestions try them, the
 * most likely first. A text with a comma is first read as a name with an area: some places have had
 * such a text as a name.
 */
export function* readings(text: string): Generator<Reading> {
  const parts = text.split(',').map((part) => part.trim());
  const [name = '', ...after] = parts;
  if (parts.length > 1) {
    yield { kind: 'parts', name, within: after.filter((part) => part !== '') };
    yield { kind: 'reversed', name: parts.at(-1) ?? '', within: parts.slice(0, -1) };
  }
  yield { kind: 'whole', name: text, within: [] };
  if (parts.length === 1) yield* withoutComma(text.trim());
  const { city, district } = (DISTRICT_FIRST.exec(text) ?? CITY_FIRST.exec(text))?.groups ?? {};
  if (city && district) yield { kind: 'district', name: district, within: [city] };
}

/** Yields all splits without a comma, longer areas first: "Portland OR", "Омская область Омск". */
function* withoutComma(text: string): Generator<Reading> {
  const hasSpaces = !NO_SPACES.test(text);
  const [separator, max, min] = hasSpaces ? [' ', MAX_WORDS, 1] : ['', MAX_CHARACTERS, 2];
  const words = text.split(separator);
  const part = (from: number, to?: number): string => words.slice(from, to).join(separator);
  const longest = Math.min(max, words.length - min);
  // In Chinese and Japanese, the region comes first: 广东省广州市.
  const behind = (kind: 'after' | 'behind', n: number): Reading => {
    return { kind, name: part(0, -n), within: [part(-n)] };
  };
  for (let n = hasSpaces ? longest : 0; n >= min; n--) yield behind('after', n);
  for (let n = longest; n >= min; n--) {
    yield { kind: 'before', name: part(n), within: [part(0, n)] };
  }
  for (let n = hasSpaces ? longest : 0; n >= min; n--) yield behind('behind', n);
}
