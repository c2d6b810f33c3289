import type { Maybe } from '../../weather/types.js';
import { UNKNOWN_CODE } from '../../weather/conditions/conditions.js';

type Codes = [light: number, moderate?: number, heavy?: number];

/**
 * The nearest WMO codes of words in lower case, and of the names of icons (https://api.weather.gov/icons) and amounts of clouds.
 * The first pattern that occurs counts, so the most severe weather comes first. There is no code for sleet.
 */
const PATTERNS: [RegExp, Codes][] = [
  [/thunder|t-storm|tornado|hurricane|tropical storm|funnel|waterspout|\btsra\b/, [95]],
  [/freezing (rain|drizzle|spray)|ice storm|\bfzra\b/, [66, 66, 67]],
  [/blizzard/, [75]],
  [/(?<!blowing |drifting )snow|flurr|sleet|wintry|hail|ice (pellets|crystals)/, [71, 73, 75]],
  [/shower/, [80, 81, 82]],
  [/rain|drizzle/, [61, 63, 65]],
  // Only blowing or drifting snow is left: wind lifts snow from the ground, so the code is that of slight snow fall.
  [/snow/, [71]],
  [/freezing fog/, [48]],
  [/fog|mist/, [45]],
  [/mostly (sunny|clear)|(few|mostly sunny) clouds|^(wind )?few$/, [1]],
  [/partly|^(wind )?sct$/, [2]],
  [/cloudy|overcast|clouds|^(wind )?(bkn|ovc)$/, [3]],
  [/sunny|clear|fair|^(wind )?(skc|clr)$/, [0]],
];

/**
 * The code of words, such as `Chance Light Rain`, `blowing_snow`, or `BKN`; undefined if they say nothing of the sky.
 * @param intensity the words that contain the intensity, if they are others
 */
export function codeOfWords(words: Maybe<string>, intensity?: string): number | undefined {
  const text = (words ?? '').toLowerCase().replaceAll('_', ' ');
  const codes = PATTERNS.find(([pattern]) => pattern.test(text))?.[1];
  const [light, moderate = light, heavy = moderate] = codes ?? [];
  if (/\blight\b/i.test(intensity ?? text)) return light;
  return /\bheavy\b/i.test(intensity ?? text) ? heavy : moderate;
}

/** `…/icons/land/day/rain,40/snow?size=medium`: one or two icons, each with or without a probability. */
const ICON = /\/icons\/[a-z]+\/(?:day|night)\/([a-z_]+)(?:,\d+)?(?:\/([a-z_]+))?/;

/**
 * The codes of the one or two icons of an address. Words decide where an icon does not.
 * @param text the weather in words, such as `Light Rain`
 * @returns no code if they say nothing of the sky
 */
export function codesOf(icon: Maybe<string>, text: Maybe<string>): number[] {
  const ofWords = codeOfWords(text);
  const names =
    ICON.exec(icon ?? '')
      ?.slice(1)
      .filter(Boolean) ?? [];
  const codes = names.flatMap((name) => {
    const ofIcon = codeOfWords(name, text ?? '');
    // The words say which snow.
    return (name === 'blizzard' ? (ofWords ?? ofIcon) : (ofIcon ?? ofWords)) ?? [];
  });
  return codes.length > 0 || ofWords === undefined ? codes : [ofWords];
}

/** The code of the first icon, or of the words; `UNKNOWN_CODE` if they say nothing of the sky; undefined without both. */
export function codeOf(icon: Maybe<string>, text: Maybe<string>): number | undefined {
  if (!icon && !text) return undefined;
  return codesOf(icon, text)[0] ?? UNKNOWN_CODE;
}
