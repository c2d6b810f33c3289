/** WMO 4677 weather codes that Open-Meteo uses, with its texts (https://open-meteo.com/en/docs). */
const CONDITIONS: ReadonlyMap<number, string> = new Map([
  [0, 'Clear sky'],
  [1, 'Mainly clear'],
  [2, 'Partly cloudy'],
  [3, 'Overcast'],
  [45, 'Fog'],
  [48, 'Depositing rime fog'],
  [51, 'Light drizzle'],
  [53, 'Moderate drizzle'],
  [55, 'Dense drizzle'],
  [56, 'Light freezing drizzle'],
  [57, 'Dense freezing drizzle'],
  [61, 'Slight rain'],
  [63, 'Moderate rain'],
  [65, 'Heavy rain'],
  [66, 'Light freezing rain'],
  [67, 'Heavy freezing rain'],
  [71, 'Slight snow fall'],
  [73, 'Moderate snow fall'],
  [75, 'Heavy snow fall'],
  [77, 'Snow grains'],
  [80, 'Slight rain showers'],
  [81, 'Moderate rain showers'],
  [82, 'Violent rain showers'],
  [85, 'Slight snow showers'],
  [86, 'Heavy snow showers'],
  [95, 'Thunderstorm'],
  [96, 'Thunderstorm with slight hail'],
  [99, 'Thunderstorm with heavy hail'],
]);

/** The codes, in the order of the list. */
export const CODES = [...CONDITIONS.keys()];

/** The code of a condition that the list lacks. Stored values and responses have null instead. */
export const UNKNOWN_CODE = -1;

/** The text of a WMO weather code; `Unknown` for null, and for a code that is not in the list. */
export function conditionOf(code: number | null): string {
  return CONDITIONS.get(code ?? UNKNOWN_CODE) ?? 'Unknown';
}

/** Whether a value is a code of the list, or null for the condition `Unknown`. */
export function isWeatherCode(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && CONDITIONS.has(value));
}
