import { ASCII } from '../../text/typography.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import { areaOfRegion } from '../data/place-record.js';
import { fold } from './fold.js';

/** Countries in which people write a region's code without a comma: "Portland OR", "Sydney NSW". */
const WRITTEN_WITHOUT_COMMA = new Set(['US', 'CA', 'AU', 'BR', 'MX', 'CH', 'IN', 'ZA', 'IT']);

/** Returns the numbers of the regions of a name or code in some countries: "Bavaria", "Berkshire", "NSW". */
export const regionsIn = createSearch(() => true);

/** Returns the regions of a name only: a short word can be part of a town's name. */
export const regionsByName = createSearch(() => false);

/** Returns the regions of a text that follows a town's name without a comma. */
export const regionsBehindName = createSearch((country) => WRITTEN_WITHOUT_COMMA.has(country));

/** @param hasCodes whether the text can be the code of a region in a country */
function createSearch(hasCodes: (country: string) => boolean) {
  return (data: GazetteerData, countries: string[], text: string): number[] => {
    const forms = formsOf(text);
    // A text with an accent or in another script is not a code.
    const isAscii = ASCII.test(text);
    return countries.flatMap((country) =>
      forms.flatMap((form) => [
        ...(isAscii && hasCodes(country) ? valuesOf(data, KEYS.regionCode(country, form)) : []),
        ...valuesOf(data, KEYS.region(country, form)),
      ]),
    );
  };
}

/** Returns whether a region is of the first level. Their numbers come before those of the second level. */
export function isFirstLevel({ lastDivision }: { lastDivision: number }, region: number): boolean {
  return region <= lastDivision;
}

/** Returns the regions of all countries of a code, then of a name, each in descending order of population. */
export function regionsEverywhere(data: GazetteerData, text: string): AreaRecord[] {
  const regions = formsOf(text).flatMap((form) => [
    ...(ASCII.test(text) ? valuesOf(data, KEYS.anyRegionCode(form)) : []),
    ...valuesOf(data, KEYS.anyRegion(form)),
  ]);
  return regions.map((region) => areaOfRegion(data, region));
}

/** Folds a text, and the text without words such as "County". */
function formsOf(text: string): string[] {
  return [...new Set([fold(text), fold(bareRegion(text))])].filter((form) => form !== '');
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
