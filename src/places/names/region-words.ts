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
