/** Tables reviewed by hand. Sources: ISO 3166, countries' usage, GeoNames for division codes. */

/** Display names of countries whose usual English name differs from the English language table. */
export const ENGLISH_NAMES: Record<string, string> = {
  BN: 'Brunei',
  BQ: 'Caribbean Netherlands',
  CC: 'Cocos Islands',
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

/** Territories with their own ISO code, by country. Their cities are found under both. */
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

/** Names of parts of countries, by the country's code and GeoNames' code of the division. */
export const PARTS: Record<string, string> = {
  'GB.ENG': 'England, Angleterre, Inglaterra, Inghilterra, Англия, 英格兰, イングランド',
  'GB.SCT': 'Scotland, Alba, Schottland, Écosse, Escocia, Scozia, Шотландия, 苏格兰',
  'GB.WLS': 'Wales, Cymru, Pays de Galles, Gales, Galles, Уэльс, 威尔士',
  'GB.NIR': 'Northern Ireland, Nordirland, Irlande du Nord, Irlanda del Norte',
  'ES.53': 'Canary Islands, Canaries, The Canaries, Canarias, Islas Canarias, IC',
  'ES.CE': 'Ceuta',
  'ES.ML': 'Melilla',
  'ES.07': 'Balearic Islands, Balearics, Islas Baleares, Illes Balears',
  'PT.10': 'Madeira',
  'PT.23': 'Azores, Açores',
  'UA.11': 'Crimea, Крим, Крым',
  'CN.14': 'Tibet',
};

/**
 * Areas to search after the country itself, because users expect places there that ISO 3166 assigns
 * to another country. An area is a country, or a region by GeoNames' code.
 */
export const ALSO: Record<string, string[]> = {
  AM: ['AZ.61'],
  AR: ['FK', 'GS'],
  CN: ['TW'],
  ES: ['GI'],
  FR: ['MC'],
  IE: ['GB.NIR'],
  IL: ['PS', 'SY.03'],
  IN: ['PK.06', 'PK.07'],
  IT: ['SM'],
  KM: ['YT'],
  MA: ['ES.CE', 'ES.ML'],
  MU: ['IO'],
  PK: ['IN.12', 'IN.41'],
  PS: ['IL.06'],
  RU: ['UA.11', 'UA.20', 'UA.05', 'UA.08', 'UA.14', 'UA.26'],
  TR: ['CY'],
};

/** Names of several countries. The countries are searched in this order. */
export const SHARED: Record<string, string[]> = {
  Congo: ['CG', 'CD'],
  Korea: ['KR', 'KP'],
  'Virgin Islands': ['VI', 'VG'],
  'Channel Islands': ['JE', 'GG'],
  'Saint Martin': ['MF', 'SX'],
  'St. Martin': ['MF', 'SX'],
};

/**
 * Forms of states ("Kingdom of Spain", "Peru, Republic of") with their abbreviations, which are
 * used only after a comma: the World Bank writes "Egypt, Arab Rep.".
 */
export const FORMS_OF_STATE: Record<string, string[]> = {
  'Republic of': ['Rep.'],
  'Republic of the': [],
  'Kingdom of': [],
  'Kingdom of the': [],
  'State of': [],
  'Federal Republic of': ['Fed. Rep.'],
  'Federal Democratic Republic of': [],
  'Federative Republic of': [],
  'Democratic Republic of': ['Dem. Rep.'],
  'Democratic Republic of the': ['Dem. Rep. of the'],
  "People's Republic of": ["People's Rep."],
  "Democratic People's Republic of": ["Dem. People's Rep."],
  "People's Democratic Republic of": ['PDR'],
  'Democratic Socialist Republic of': [],
  'Socialist Republic of': [],
  'Arab Republic of': ['Arab Rep.'],
  'Islamic Republic of': ['Islamic Rep.'],
  'Islamic Republic of the': [],
  'United Republic of': [],
  'Bolivarian Republic of': ['RB'],
  'Plurinational State of': [],
  'Independent State of': [],
  'Federated States of': ['Fed. Sts.'],
  'Principality of': [],
  'Grand Duchy of': [],
  'Sultanate of': [],
  'Commonwealth of': [],
  'Commonwealth of the': [],
  'Union of': [],
  'Union of the': [],
  'Co-operative Republic of': [],
};

/** ISO 3166-1 reserved codes with CLDR names: their places' country or region (GeoNames' code). */
export const RESERVED: Record<string, string> = {
  AC: 'SH',
  CP: 'FR',
  CQ: 'GG',
  DG: 'IO',
  EA: 'ES',
  IC: 'ES.53',
  TA: 'SH',
};
