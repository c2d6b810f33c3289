import type { Maybe } from '../../weather/types.js';
import { UNKNOWN_CODE } from '../../weather/conditions/conditions.js';
import {
  codeOfGroups,
  type Intensity,
  type WeatherGroup,
} from '../../weather/conditions/weather-groups.js';

/**
 * The METAR codes of the words of forecasts (https://www.weather.gov/bgm/forecast_terms) and of the
 * names of icons (https://api.weather.gov/icons). Sleet is ice pellets. Flurries are light snow
 * showers, and sprinkles light rain showers. Spray and blowing snow do not fall.
 */
const WORDS: [RegExp, string[]][] = [
  [/thunder|t-storm|\btsra\b|tornado|hurricane|tropical storm/, ['TS']],
  [/freezing (?!spray)|ice storm|ice fog|fzra/, ['FZ']],
  [/shower|flurr|squall|sprinkle/, ['SH']],
  [/drizzle/, ['DZ']],
  [/\brain|ice storm|fzra/, ['RA']],
  [/snow (?:grains)/, ['SG']],
  [/snow pellets|small hail/, ['GS']],
  [/(?<!blowing |drifting )snow(?! grains| pellets)|flurr|wintry|blizzard/, ['SN']],
  [/ice crystals/, ['IC']],
  [/sleet|ice pellets/, ['PL']],
  [/(?<!small )hail/, ['GR']],
  [/fog/, ['FG']],
];

/** Of words that say nothing of weather. The first pattern that occurs counts. */
const SKY: [RegExp, number][] = [
  [/mostly (sunny|clear)|(few|mostly sunny) clouds|^(wind )?few$/, 1],
  [/partly|^(wind )?sct$/, 2],
  [/cloudy|overcast|clouds|^(wind )?(bkn|ovc)$/, 3],
  [/sunny|clear|fair|^(wind )?skc$/, 0],
];

function intensityIn(words: string): Intensity | undefined {
  if (/\blight\b/.test(words)) return 'light';
  return /\bheavy\b/.test(words) ? 'heavy' : undefined;
}

/**
 * The groups of words such as `chance light rain and patchy fog`. An intensity also counts for what
 * follows it.
 * @param intensity the intensity of words that name none
 */
function groupsOf(words: string, intensity: Intensity): WeatherGroup[] {
  let last = intensity;
  return words.split(/[/,;]|\b(?:and|or|with)\b/).map((part) => {
    last = intensityIn(part) ?? last;
    const codes = WORDS.flatMap(([pattern, named]) => (pattern.test(part) ? named : []));
    if (/flurr|sprinkle/.test(part)) return { intensity: 'light', codes };
    return { intensity: part.includes('blizzard') ? 'heavy' : last, codes };
  });
}

/**
 * The code of the weather in words. Blowing snow, which has no code of its own, is slight snow
 * fall. Undefined for words about the sky.
 */
function weatherIn(words: string, intensity: Intensity = 'moderate'): number | undefined {
  return codeOfGroups(groupsOf(words, intensity)) ?? (words.includes('snow') ? 71 : undefined);
}

const skyIn = (words: string) => SKY.find(([pattern]) => pattern.test(words))?.[1];

/**
 * `…/icons/land/day/rain,40/snow,60?size=medium`: one or two icons, each with or without a
 * probability.
 */
const ICONS = /\/icons\/[a-z]+\/(?:day|night)((?:\/[a-z_]+(?:,\d+)?){1,2})/;

/** A period, or one half of it. */
interface Part {
  /** The WMO code; undefined if icon and words say nothing of weather and sky. */
  code: number | undefined;
  /** The probability of precipitation in percent, if the icon contains it. */
  probability: number | undefined;
}

/**
 * The parts of a period in their order: two if there are two icons, or words such as `Rain then
 * Mostly Sunny`. The words decide about the weather, because one icon stands for several kinds. The
 * icon decides about the sky.
 * @param text the weather in words, such as `Patchy Drizzle`
 */
export function partsOf(icon: Maybe<string>, text: Maybe<string>): Part[] {
  const all = (text ?? '').toLowerCase();
  const texts = all.split(/\bthen\b/);
  const [, path = ''] = ICONS.exec(icon ?? '') ?? [];
  const icons = path.split('/').slice(1);
  return Array.from({ length: Math.max(icons.length, texts.length) }, (_, index): Part => {
    const words = texts[index] ?? all;
    const [name = '', percent] = (icons[index] ?? icons[0] ?? '').split(',');
    const ofIcon = name.replaceAll('_', ' ');
    const ofSky = skyIn(ofIcon);
    // Words or an icon for the whole period do not say in which half it rains, so a half that has
    // its own sky is dry.
    const isDryHalf = texts.length < icons.length && ofSky !== undefined;
    const isDryText = icons.length < texts.length ? skyIn(words) : undefined;
    const ofWeather = isDryHalf ? undefined : weatherIn(words);
    return {
      code: ofWeather ?? isDryText ?? weatherIn(ofIcon, intensityIn(all)) ?? ofSky ?? skyIn(words),
      probability: percent === undefined ? undefined : Number(percent),
    };
  });
}

/**
 * The code of the first part that has one; `UNKNOWN_CODE` if there is none, undefined without icon
 * and words.
 */
export function codeOf(icon: Maybe<string>, text: Maybe<string>): number | undefined {
  if (!icon && !text) return undefined;
  return partsOf(icon, text).flatMap(({ code }) => code ?? [])[0] ?? UNKNOWN_CODE;
}
