import type { Maybe } from '../../weather/types.js';
import { UNKNOWN_CODE } from '../../weather/conditions.js';

type Codes = [light: number, moderate?: number, heavy?: number];

const CLEAR: Codes = [0];
const FEW_CLOUDS: Codes = [1];
const SCATTERED_CLOUDS: Codes = [2];
const OVERCAST: Codes = [3];
const FOG: Codes = [45];
const RAIN: Codes = [61, 63, 65];
const FREEZING: Codes = [66, 66, 67];
/** There is no code for sleet. */
const SNOW: Codes = [71, 73, 75];
const SHOWERS: Codes = [80, 81, 82];
/** Thunder and storms. */
const STORM: Codes = [95];

/**
 * The nearest WMO codes of each icon of api.weather.gov (https://api.weather.gov/icons), and of each amount of clouds. The icons
 * that are not here, such as `hot`, `smoke`, and `blizzard`, say nothing of the sky: the words do.
 */
const ICONS: ReadonlyMap<string, Codes> = new Map([
  ...named('skc wind_skc clr', CLEAR),
  ...named('few wind_few', FEW_CLOUDS),
  ...named('sct wind_sct', SCATTERED_CLOUDS),
  ...named('bkn ovc wind_bkn wind_ovc', OVERCAST),
  ...named('fog', FOG),
  ...named('rain', RAIN),
  ...named('rain_showers rain_showers_hi', SHOWERS),
  ...named('fzra rain_fzra snow_fzra', FREEZING),
  ...named('rain_sleet rain_snow snow_sleet sleet snow', SNOW),
  ...named('tsra tsra_sct tsra_hi tornado tropical_storm hurricane', STORM),
]);

function named(names: string, codes: Codes): [string, Codes][] {
  return names.split(' ').map((name) => [name, codes]);
}

/** The WMO codes of words in lower case. The first pattern that occurs counts, so the most severe weather comes first. */
const WORDS: [RegExp, Codes][] = [
  [/thunder|t-storm|tornado|hurricane|tropical storm|funnel|waterspout/, STORM],
  [/freezing (rain|drizzle|spray)|ice storm/, FREEZING],
  [/blizzard/, [75]],
  [/(?<!blowing |drifting )snow|flurr|sleet|wintry|hail|ice (pellets|crystals)/, SNOW],
  [/shower/, SHOWERS],
  [/rain|drizzle/, RAIN],
  // It lies already, and the wind lifts it.
  [/snow/, [71]],
  [/freezing fog/, [48]],
  [/fog|mist/, FOG],
  [/mostly (sunny|clear)|(few|mostly sunny) clouds/, FEW_CLOUDS],
  [/partly/, SCATTERED_CLOUDS],
  [/cloudy|overcast|clouds/, OVERCAST],
  [/sunny|clear|fair/, CLEAR],
];

/** The code of the intensity that words contain; undefined without codes. */
function ofIntensity(codes: Codes | undefined, text: string): number | undefined {
  const [light, moderate = light, heavy = moderate] = codes ?? [];
  if (/\blight\b/i.test(text)) return light;
  return /\bheavy\b/i.test(text) ? heavy : moderate;
}

/** The code of words, such as `Chance Light Rain` or `blowing_snow`; undefined for words that say nothing of the sky. */
export function codeOfWords(words: Maybe<string>): number | undefined {
  const text = (words ?? '').toLowerCase().replaceAll('_', ' ');
  return ofIntensity(WORDS.find(([pattern]) => pattern.test(text))?.[1], text);
}

/** The code of an amount of clouds, such as `BKN`. */
export const codeOfClouds = (amount: Maybe<string>): number | undefined =>
  ICONS.get((amount ?? '').toLowerCase())?.[0];

/** `…/icons/land/day/rain,40/snow?size=medium`: one or two icons, each with or without a probability. */
const ICON = /\/icons\/[a-z]+\/(?:day|night)\/([a-z_]+)(?:,\d+)?(?:\/([a-z_]+))?/;

/**
 * The codes of the one or two icons of an address. Words decide where an icon does not.
 * @param text the weather in words, such as `Light Rain`
 * @returns no code if they say nothing of the sky
 */
export function codesOf(icon: Maybe<string>, text: Maybe<string>): number[] {
  const words = text ?? '';
  const [, ...names] = ICON.exec(icon ?? '') ?? [];
  const codes = names.flatMap((name: string | undefined) =>
    name === undefined
      ? []
      : (ofIntensity(ICONS.get(name), words) ?? codeOfWords(words) ?? codeOfWords(name) ?? []),
  );
  const code = codes.length > 0 ? undefined : codeOfWords(words);
  return code === undefined ? codes : [code];
}

/** The code of the first icon, or of the words; `UNKNOWN_CODE` if they say nothing of the sky; undefined without both. */
export function codeOf(icon: Maybe<string>, text: Maybe<string>): number | undefined {
  if (!icon && !text) return undefined;
  return codesOf(icon, text)[0] ?? UNKNOWN_CODE;
}
