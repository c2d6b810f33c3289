/**
 * The layers of the icon by the text of the condition, which is the text of a WMO weather code. The first pattern that
 * matches counts. `star` is the sun or the moon.
 */
const LAYERS: readonly (readonly [condition: RegExp, layers: string])[] = [
  [/hail/, 'cloud bolt ice'],
  [/^Thunderstorm/, 'cloud bolt'],
  [/freezing/, 'cloud ice'],
  [/snow showers/, 'star cloud snow'],
  [/snow/i, 'cloud snow'],
  [/showers/, 'star cloud rain'],
  [/rain|drizzle/, 'cloud rain'],
  [/fog/i, 'cloud fog'],
  [/^Overcast/, 'cloud'],
  [/^Partly/, 'star cloud'],
  [/clear/i, 'star alone'],
];

/** Returns the CSS classes of the icon for a condition. Only the layers show that they name; none if it is unknown. */
export function iconClasses(condition: string, isDay = true): string {
  const [, layers = ''] = LAYERS.find(([pattern]) => pattern.test(condition)) ?? [];
  return `weather-icon ${layers.replace('star', isDay ? 'sun' : 'moon')}`.trim();
}
