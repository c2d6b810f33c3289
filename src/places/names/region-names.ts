import { ASCII } from '../../text/typography.js';
import type { GazetteerSections } from '../data/gazetteer-file.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import { fold } from './fold.js';

/** Countries in which people write a region's code without a comma: "Portland OR", "Sydney NSW". */
const WRITTEN_WITHOUT_COMMA = new Set(['US', 'CA', 'AU', 'BR', 'MX', 'CH', 'IN', 'ZA', 'IT']);

/** The last text, folded. The countries of an area are searched one after the other for the same text. */
let last = { text: '', folded: '', bare: '' };

type KeyOf = (name: string) => string;

/** Returns the numbers of a country's regions of a name or code: "Bavaria", "Berkshire", "NSW". */
export function regionsInCountry(data: GazetteerSections, country: string, text: string): number[] {
  const keyOf = (name: string) => KEYS.region(country, name);
  return regionsOf(data, text, keyOf, (code) => KEYS.regionCode(country, code));
}

/** Returns the numbers of a country's regions of a name only: a short word can be part of a town's name. */
export function regionsByName(data: GazetteerSections, country: string, text: string): number[] {
  return regionsOf(data, text, (name) => KEYS.region(country, name));
}

/** Returns the regions of a text that follows a town's name without a comma: by code only in `WRITTEN_WITHOUT_COMMA`. */
export function regionsBehindName(
  data: GazetteerSections,
  country: string,
  text: string,
): number[] {
  const find = WRITTEN_WITHOUT_COMMA.has(country) ? regionsInCountry : regionsByName;
  return find(data, country, text);
}

/** Returns the regions of all countries of a code, then of a name, each in descending order of population. */
export function regionsEverywhere(data: GazetteerSections, text: string): number[] {
  return regionsOf(data, text, KEYS.anyRegion, KEYS.anyRegionCode);
}

/** Searches for the whole text, then for the text without words such as "County". */
function regionsOf(data: GazetteerSections, text: string, nameKey: KeyOf, codeKey?: KeyOf) {
  if (text !== last.text) last = { text, folded: fold(text), bare: fold(bareRegion(text)) };
  // A text with an accent or in another script is not a code.
  const keysOf = codeKey && ASCII.test(text) ? [codeKey, nameKey] : [nameKey];
  const forms = [...new Set([last.folded, last.bare])].filter((form) => form !== '');
  return forms.flatMap((form) => keysOf.flatMap((keyOf) => [...valuesOf(data, keyOf(form))]));
}

/** Words for kinds of regions, at the beginning of a name. */
const BEFORE = new RegExp(
  '^(?:(?:autonomous )?(?:republic|state|province|region|county|canton|principality|department|prefecture|governorate|district|borough) of|' +
    'the|county|co\\.?|free state of|freistaat|bundesland|land|kanton|canton(?: de| du)?|' +
    'd[ée]partement(?: de la| de| du| des)?|departamento(?: del| de)?|provincia(?: autonoma)?(?: del| di| de|)|' +
    'province(?: de la| de| du| des)?|provincie|provinsi|propinsi|prefectura de|pr[ée]fecture de|prefettura di|präfektur|' +
    'regi[oó]n(?:e)?(?: del| de)?|r[ée]gion(?: de la| de| du| des)?|estado(?: de| do| da)?|comunidad(?: aut[oó]noma)?(?: de| del)?|comunitat|' +
    "principado de|principat de|gobierno de|wojew[oó]dztwo|jude[tțţ]ul|oblast[’']?|óblast de|óblast|respublika|" +
    'wilaya (?:de|of)|wilayah|tỉnh|thành phố|tp\\.?|changwat|kraj|' +
    'республика|респ\\.?|респу́блика|область|обл\\.?|край|محافظة|ولاية|استان|إمارة|منطقة|จังหวัด|νομός|περιφέρεια) +',
  'iu',
);
/** Words for kinds of regions, at the end of a name. */
const AFTER = new RegExp(
  "(?: +(?:(?:autonomous )?(?:province|state|prefecture|governorate|district|region|oblast[’']?|krai|kray|kraj|county|department|" +
    'division|municipality|voivodeship|parish|canton|territory|okrug|republic)|prov\\.?|county borough|county council|council|' +
    'область|обл\\.?|край|кр\\.?|республика|автономная область|автономный округ|ао|областъ|област|' +
    'megye|vármegye|län|fylke|maakunta|lääni|województwo|oblysy|viloyati|velayat|ili|il|apskritis|novads|maakond|županija|sheng|shi|zizhiqu)|' +
    '-(?:do|si|ken|fu|to|shi|teukbyeolsi|gwangyeoksi|teukbyeoljachido)|' +
    '(?<=[\\p{sc=Han}]{2})(?:(?:维吾尔|壮族|回族)?自治区|特别行政区|特別行政區|省|市|県|縣|县|府|都|州)|' +
    '(?<=[\\p{sc=Hangul}]{2})(?:특별자치도|특별자치시|광역시|특별시|도))$',
  'iu',
);

/** Removes words for the kind of region from a name: "County Cork", "Московская обл." */
export function bareRegion(name: string): string {
  const [first = ''] = name.split(', ', 1);
  return first.replace(BEFORE, '').replace(AFTER, '').trim();
}
