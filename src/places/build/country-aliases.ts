/**
 * What people call countries beyond the names in the language tables, reviewed by hand. Sources:
 * ISO 3166 (codes, former names and formerly used codes), the members' own usage, and GeoNames for
 * the divisions.
 */

/** The name to show where the English table's differs from what an English reader writes. */
export const ENGLISH_NAMES: Record<string, string> = {
  BN: 'Brunei',
  BQ: 'Caribbean Netherlands',
  CD: 'Democratic Republic of the Congo',
  CG: 'Republic of the Congo',
  CI: "Côte d'Ivoire",
  CN: 'China',
  CZ: 'Czechia',
  FK: 'Falkland Islands',
  FM: 'Micronesia',
  GM: 'The Gambia',
  IR: 'Iran',
  KR: 'South Korea',
  LA: 'Laos',
  MD: 'Moldova',
  MF: 'Saint Martin',
  MK: 'North Macedonia',
  MO: 'Macau',
  PN: 'Pitcairn Islands',
  PS: 'Palestine',
  RE: 'Réunion',
  RU: 'Russia',
  ST: 'São Tomé and Príncipe',
  SX: 'Sint Maarten',
  SY: 'Syria',
  TW: 'Taiwan',
  TZ: 'Tanzania',
  US: 'United States',
  VA: 'Vatican City',
  VG: 'British Virgin Islands',
  VI: 'U.S. Virgin Islands',
};

/** Territories with an ISO code of their own are found under their country too. */
export const TERRITORIES: Record<string, string> = {
  AU: 'CC CX HM NF',
  CN: 'HK MO',
  DK: 'FO GL',
  FI: 'AX',
  FR: 'BL GF GP MF MQ NC PF PM RE TF WF YT',
  GB: 'AI BM FK GG GI GS IM IO JE KY MS PN SH TC VG',
  MA: 'EH',
  NL: 'AW BQ CW SX',
  NO: 'BV SJ',
  NZ: 'CK NU TK',
  RS: 'XK',
  US: 'AS GU MP PR UM VI',
};

/** Further names, by ISO code. */
export const ALIASES: Record<string, string[]> = {
  AE: ['Emirates', 'The Emirates', 'UAE'],
  BA: ['Bosnia', 'BiH', 'Bosnia-Herzegovina'],
  BY: ['Belorussia', 'Byelorussia'],
  CD: [
    'DR Congo',
    'DRC',
    'D.R.C.',
    'RDC',
    'Congo-Kinshasa',
    'Congo, Democratic Republic of the',
    'Democratic Republic of Congo',
    'Congo DR',
    'Congo DRC',
    'Zaire',
  ],
  CF: ['CAR'],
  CG: ['Congo-Brazzaville', 'Republic of Congo', 'Congo Republic'],
  CI: ['Ivory Coast'],
  CN: [
    'PRC',
    'P.R.C.',
    'PR China',
    "People's Republic of China",
    'Mainland China',
    '中华人民共和国',
  ],
  CV: ['Cabo Verde'],
  CZ: ['Czech'],
  DE: ['BRD', 'FRG', 'Germania'],
  DO: ['Dominican Rep'],
  FK: ['Falklands', 'Malvinas'],
  FM: ['Federated States of Micronesia', 'FSM'],
  GB: ['U.K.', 'Great Britain', 'Britain', 'United Kingdom of Great Britain and Northern Ireland'],
  GR: ['Hellas', 'EL'],
  HK: ['Hong Kong SAR', 'HKSAR', 'Hongkong'],
  IE: ['Eire', 'Republic of Ireland'],
  IR: ['Persia'],
  KP: ['DPRK', 'North Korea', "Democratic People's Republic of Korea", 'Korea, North'],
  KR: ['South Korea', 'ROK', 'Republic of Korea', 'Korea, South'],
  LA: ['Lao', 'Lao PDR'],
  LK: ['Ceylon'],
  MK: ['Macedonia', 'FYROM'],
  MM: ['Burma'],
  MO: ['Macau', 'Macao SAR', 'Macau SAR'],
  NL: ['Holland'],
  NZ: ['Aotearoa'],
  PG: ['PNG'],
  PS: ['Palestinian Territories', 'Palestinian Territory', 'West Bank', 'Gaza', 'Gaza Strip'],
  RU: ['Russia', 'РФ', 'Российская Федерация'],
  SA: ['KSA', 'Saudi'],
  SH: ['Saint Helena', 'Ascension', 'Ascension Island', 'Tristan da Cunha'],
  SJ: ['Svalbard', 'Spitsbergen'],
  ST: ['Sao Tome'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkiye', 'Turkey'],
  TT: ['Trinidad', 'Tobago'],
  TW: ['Republic of China', 'ROC', 'R.O.C.', 'Chinese Taipei', 'Formosa', '中華民國'],
  US: ['U.S.', 'U.S.A.', 'America', 'United States of America', 'The States', 'EEUU', 'EE.UU.'],
  VA: ['Vatican', 'Holy See', 'The Vatican', 'Vatican City State'],
  VC: ['Saint Vincent'],
  VG: ['BVI'],
  VI: ['USVI', 'US Virgin Islands'],
  VN: ['Viet Nam'],
  AG: ['Antigua', 'Barbuda'],
  KN: ['Saint Kitts', 'Nevis', 'St Kitts & Nevis'],
  PM: ['Saint Pierre', 'Miquelon'],
  WF: ['Wallis'],
  BQ: ['Bonaire', 'Saba', 'Sint Eustatius'],
  TC: ['Turks and Caicos'],
  IO: ['Chagos', 'Chagos Archipelago'],
  CC: ['Cocos Islands', 'Keeling Islands'],
  GG: ['Bailiwick of Guernsey', 'Sark', 'Alderney'],
  MP: ['Saipan', 'Northern Marianas'],
};

/** Names that stand for a part of a country: its code, then the division's code in GeoNames. */
export const PARTS: Record<string, string[]> = {
  'GB.ENG': [
    'England',
    'Angleterre',
    'Inglaterra',
    'Inghilterra',
    'Англия',
    '英格兰',
    'イングランド',
  ],
  'GB.SCT': [
    'Scotland',
    'Alba',
    'Schottland',
    'Écosse',
    'Escocia',
    'Scozia',
    'Шотландия',
    '苏格兰',
  ],
  'GB.WLS': ['Wales', 'Cymru', 'Pays de Galles', 'Gales', 'Galles', 'Уэльс', '威尔士'],
  'GB.NIR': ['Northern Ireland', 'Nordirland', 'Irlande du Nord', 'Irlanda del Norte', 'NI UK'],
  'ES.53': ['Canary Islands', 'Canaries', 'The Canaries', 'Canarias', 'Islas Canarias', 'IC'],
  'ES.CE': ['Ceuta'],
  'ES.ML': ['Melilla'],
  'ES.07': ['Balearic Islands', 'Balearics', 'Islas Baleares', 'Illes Balears'],
  'PT.10': ['Madeira'],
  'PT.23': ['Azores', 'Açores'],
  'UA.11': ['Crimea', 'Крим', 'Крым'],
  'CN.14': ['Tibet'],
};

/** Names that stand for several countries: all are searched, the first before the others. */
export const SHARED: Record<string, string[]> = {
  Congo: ['CG', 'CD'],
  Korea: ['KR', 'KP'],
  'Virgin Islands': ['VI', 'VG'],
  'Channel Islands': ['JE', 'GG'],
  'Saint Martin': ['MF', 'SX'],
  'St. Martin': ['MF', 'SX'],
};

/** "Kingdom of Spain", "Republic of Peru": the form of state says nothing that the name does not. */
export const FORMS_OF_STATE = [
  'Republic of',
  'Republic of the',
  'Kingdom of',
  'Kingdom of the',
  'State of',
  'Federal Republic of',
  'Federal Democratic Republic of',
  'Democratic Republic of',
  "People's Republic of",
  "People's Democratic Republic of",
  'Democratic Socialist Republic of',
  'Socialist Republic of',
  'Islamic Republic of',
  'United Republic of',
  'Bolivarian Republic of',
  'Plurinational State of',
  'Independent State of',
  'Principality of',
  'Grand Duchy of',
  'Sultanate of',
  'Commonwealth of',
  'Commonwealth of the',
  'Union of',
  'Co-operative Republic of',
];

/**
 * Languages whose names for countries the platform's CLDR data have and the tables of
 * i18n-iso-countries lack, most of them official somewhere.
 */
export const FURTHER_LANGUAGES =
  'as bo ce ceb ckb cv dz fil fo fy gd gn gu haw ig ii jv kl kn kok kw ky lb ln lo lg mg mi my ne om ' +
  'or os pa qu rm rn rw sa sah sc se si sm sn sr-Latn su te ti to tt uz-Cyrl uz-Latn az-Cyrl bs-Cyrl ' +
  'wo xh yi yo yue zh-Hant zu';
