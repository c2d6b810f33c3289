import { conditionOf, UNKNOWN_CONDITION } from '../../weather/conditions.js';

/**
 * The nearest WMO codes of each icon of api.weather.gov (https://api.weather.gov/icons): for light, moderate, and heavy
 * weather, if they differ. There is no code for sleet: it counts as snow. Thunder and storms count as a thunderstorm.
 */
const WMO_CODES: ReadonlyMap<string, [number, number?, number?]> = new Map([
  ['skc', [0]],
  ['few', [1]],
  ['sct', [2]],
  ['bkn', [3]],
  ['ovc', [3]],
  ['wind_skc', [0]],
  ['wind_few', [1]],
  ['wind_sct', [2]],
  ['wind_bkn', [3]],
  ['wind_ovc', [3]],
  ['hot', [0]],
  ['cold', [0]],
  ['fog', [45]],
  ['haze', [45]],
  ['smoke', [45]],
  ['dust', [45]],
  ['rain', [61, 63, 65]],
  ['rain_showers', [80, 81, 82]],
  ['rain_showers_hi', [80, 81, 82]],
  ['fzra', [66, 66, 67]],
  ['rain_fzra', [66, 66, 67]],
  ['snow_fzra', [66, 66, 67]],
  ['rain_sleet', [71, 73, 75]],
  ['rain_snow', [71, 73, 75]],
  ['snow_sleet', [71, 73, 75]],
  ['sleet', [71, 73, 75]],
  ['snow', [71, 73, 75]],
  ['blizzard', [75]],
  ['tsra', [95]],
  ['tsra_sct', [95]],
  ['tsra_hi', [95]],
  ['tornado', [95]],
  ['tropical_storm', [95]],
  ['hurricane', [95]],
]);

/** `…/icons/land/day/rain,40/snow?size=medium`: one or two icons, each with or without a probability. */
const ICON = /\/icons\/[a-z]+\/(?:day|night)\/([a-z_]+)(?:,\d+)?(?:\/([a-z_]+))?/;

/**
 * The condition of the address of an icon. If it has two icons, the first one counts.
 * @param text the weather in words, such as `Light Rain`
 */
export function conditionOfIcon(icon: string, text: string): string {
  return conditionsOfIcon(icon, text)[0] ?? UNKNOWN_CONDITION;
}

/** The conditions of the one or two icons of an address. The parameters are those of `conditionOfIcon`. */
export function conditionsOfIcon(icon: string, text: string): string[] {
  const [, ...names] = ICON.exec(icon) ?? [];
  return names.flatMap((name: string | undefined) => (name ? conditionOfIconName(name, text) : []));
}

/** The condition of the name of an icon, such as `rain`. @param text words, of which `light` and `heavy` count */
export function conditionOfIconName(name: string, text: string): string {
  const [light, moderate = light, heavy = moderate] = WMO_CODES.get(name) ?? [];
  let code = moderate;
  if (/\blight\b/i.test(text)) code = light;
  else if (/\bheavy\b/i.test(text)) code = heavy;
  return code === undefined ? UNKNOWN_CONDITION : conditionOf(code);
}
