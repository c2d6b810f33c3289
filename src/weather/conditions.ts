/** The WMO 4677 weather codes that Open-Meteo uses, with the texts of its documentation (https://open-meteo.com/en/docs). */
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

/** The text for a condition that no code of the list describes. */
export const UNKNOWN_CONDITION = 'Unknown';

/** The text of a WMO weather code; `Unknown` for a code that is not in the list. */
export function conditionOf(code: number): string {
  return CONDITIONS.get(code) ?? UNKNOWN_CONDITION;
}

const CODES: ReadonlyMap<string, number> = new Map(
  Array.from(CONDITIONS, ([code, condition]) => [condition, code]),
);

/** Whether a value is a text that `conditionOf` returns. */
export function isCondition(value: unknown): value is string {
  return typeof value === 'string' && (CODES.has(value) || value === UNKNOWN_CONDITION);
}

/** The WMO weather code of a text of the list; undefined for `Unknown`. */
export function codeOf(condition: string): number | undefined {
  return CODES.get(condition);
}
