/** Variants of a name that is not in the gazetteer. Users add a word ("City of …"), or shorten one ("Sta." for "Santa"). */

/** Words for "city" and "district" at the end of a name. No other words end with these letters. */
const KIND_AFTER =
  /(?<=\p{L}) city$|(?<=\p{L})[ -](?:シティー?|시티|сити|سيتي)$|(?<=\p{L}{2}) ?(?:特别行政区|特別行政區|新区|自治州|地区|特別市|특별시|광역시|특별자치시|[市区區시구군])$/iu;
/** Phrases such as "city of" and "town of" before a name, for cities in any country. */
const PHRASE_BEFORE =
  /^(?:(?:city|town|village|borough|municipality) of |(?:ciudad|villa|pueblo|municipio) de (?:la |los )?|(?:cidade|município) d[eo] |(?:ville|commune) d(?:e |[’'])|(?:città|comune) di |(?:thành phố|thị xã) |(?:город|село|посёлок|поселок|деревня|станица|місто|смт|горад) |محافظة |مدينة |नगर )/iu;
/** Short words for "city", by country. Elsewhere they are parts of names: "Grad Rapids" is a misspelled Grand Rapids. */
const WORDS: [countries: string, word: RegExp][] = [
  ['JP KR CN TW', /(?<=\p{L})-(?:shi|si|ku|gu)$/iu],
  ['CO MX BR VE', / D\.? ?[CF]\.?$/iu],
  ['RU UA BY KZ KG UZ TJ TM MD GE AM AZ EE LV LT BG', /^(?:г|гор|м|с|пос|п|д)(?:\. ?| )/iu],
  [
    'DE AT CH LI LU BE IT',
    /^(?:stadt|landeshauptstadt|hansestadt|universitätsstadt|lutherstadt|gemeinde|markt) /iu,
  ],
  ['ID MY BN', /^(?:kota|kabupaten|bandar) /iu],
  ['VN', /^tp\.? /iu],
  ['RO MD', /^(?:municipiul|orașul|oraşul) /iu],
  ['NL BE SR', /^gemeente /iu],
  ['PL', /^miasto /iu],
  ['CZ SK SI', /^(?:město|mesto) /iu],
  ['HR RS BA ME SI MK', /^grad /iu],
  ['DK NO FO GL', /^byen /iu],
];
/** Abbreviations, and the words that the data has instead. */
const SHORTENED: [RegExp, string][] = [
  [/\bsta\.? ?/giu, 'Santa '],
  [/\bsto\.? ?/giu, 'Santo '],
  [/\bcd\.? ?/giu, 'Ciudad '],
  [/\bgral\.? ?/giu, 'General '],
  [/\bpto\.? ?/giu, 'Puerto '],
  [/\bpte\.? /giu, 'Presidente '],
  [/\bnva\.? /giu, 'Nueva '],
  [/^s\. ?/iu, 'São '],
  [/^s\. ?/iu, 'San '],
  [/^s\. ?/iu, 'South '],
  [/^n\.? /iu, 'North '],
  [/^e\.? /iu, 'East '],
  [/^w\.? /iu, 'West '],
  [/ a\. ?m\.?$/iu, ' am Main'],
  [/ i\. ?br\.?$/iu, ' im Breisgau'],
  [/ a\. ?d\. ?/iu, ' an der '],
  [/ o\. ?d\. ?/iu, ' ob der '],
  [/ i\. ?d\. ?/iu, ' in der '],
  [/ v\. ?d\. ?/iu, ' vor der '],
  [/ b\. ?/iu, ' bei '],
];

/**
 * Yields the variants of a name to look up after the name itself, the most likely first.
 *
 * @param countries ISO 3166-1 alpha-2 codes of the countries that the name may be in
 */
export function* cityForms(name: string, countries: string[]): Generator<string> {
  const words = WORDS.filter(([spoken]) => countries.some((code) => spoken.includes(code)));
  for (const kind of [KIND_AFTER, PHRASE_BEFORE, ...words.map(([, word]) => word)]) {
    const bare = name.replace(kind, '');
    if (bare !== name) yield bare;
  }
  for (const [word, whole] of SHORTENED) {
    const full = name.replace(word, whole);
    if (full !== name) yield full;
  }
}
