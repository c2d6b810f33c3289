/**
 * Other forms of a name that nothing is called by, as people write it: with words that say what kind of place it
 * is, or shortened.
 */

/** English, Japanese, Korean and Chinese words for "city" and "district" at the end of a name. */
const KIND_AFTER =
  /(?<=\p{L}) city$|(?<=\p{L})-(?:shi|si|ku|gu)$|(?<=\p{L}{2}) ?(?:特别行政区|特別行政區|新区|自治州|地区|特別市|특별시|광역시|특별자치시|[市区區시구군])$| D\.? ?[CF]\.?$/iu;
/** Words for "city", "town", "village" before a name, in the languages that write them there. */
const KIND_BEFORE =
  /^(?:(?:г|гор|м|с|пос|п|д)(?:\. ?| )|(?:город|село|посёлок|поселок|деревня|станица|місто|село|смт|горад) |(?:city|town|village|borough|municipality) of |(?:ciudad|villa|pueblo|municipio) de (?:la |los )?|(?:cidade|município) d[eo] |(?:ville|commune) d(?:e |[’'])|(?:città|comune) di |(?:stadt|landeshauptstadt|hansestadt|universitätsstadt|lutherstadt|gemeinde|markt) |(?:kota|kabupaten|bandar) |(?:thành phố|tp\.?|thị xã) |(?:municipiul|orașul|oraşul) |(?:gemeente|miasto|město|mesto|grad|byen) |محافظة |مدينة |नगर )/iu;
/** Words that stand in full in the data. */
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

/** The forms to try after the name itself, the likeliest first. */
export function* cityForms(name: string): Generator<string> {
  const short = name.replace(KIND_AFTER, '');
  if (short !== name) yield short;
  const bare = name.replace(KIND_BEFORE, '');
  if (bare !== name) yield bare;
  for (const [word, whole] of SHORTENED) {
    const full = name.replace(word, whole);
    if (full !== name) yield full;
  }
}
