/** What occurs at a place, in the two-letter codes of METAR: `-SHSN` is light `SH SN`. */
export interface WeatherGroup {
  intensity: Intensity;
  /** Descriptors and phenomena, such as `FZ` and `RA`. */
  codes: readonly string[];
}

export const INTENSITIES = ['light', 'moderate', 'heavy'] as const;
export type Intensity = (typeof INTENSITIES)[number];

type Codes = readonly [light: number, moderate: number, heavy: number];
const always = (code: number): Codes => [code, code, code];

interface WeatherRow {
  /** A group contains one code of each list. */
  has: string[][];
  not?: string;
  codes: Codes;
}

/**
 * The WMO code of each kind of weather. The first row that a group matches counts, and of several
 * groups, the one whose row comes first. There is no WMO code for hail, ice pellets, and ice
 * crystals without a thunderstorm: they are snow grains.
 */
const KINDS: readonly WeatherRow[] = [
  { has: [['TS'], ['GR', 'GS']], codes: [96, 96, 99] },
  { has: [['TS']], codes: always(95) },
  { has: [['FZ'], ['RA', 'UP']], codes: [66, 66, 67] },
  { has: [['FZ'], ['DZ']], codes: [56, 56, 57] },
  { has: [['SH'], ['SN', 'SG']], codes: [85, 85, 86] },
  { has: [['SN']], codes: [71, 73, 75] },
  { has: [['SG', 'IC', 'PL', 'GR', 'GS']], not: 'SH', codes: always(77) },
  { has: [['SH']], codes: [80, 81, 82] },
  { has: [['RA', 'UP']], codes: [61, 63, 65] },
  { has: [['DZ']], codes: [51, 53, 55] },
  { has: [['FZ'], ['FG']], codes: always(48) },
  { has: [['FG']], codes: always(45) },
];

/** In the vicinity (at least 8 km away), lifted from the ground by wind, or already over. */
const NOT_HERE = ['VC', 'BL', 'DR', 'RE'];

/**
 * The WMO code of the most severe kind of weather of several groups. The kind decides before the
 * intensity. The hail of a thunderstorm can be a group of its own.
 * @returns undefined if none of the groups has a code, so that the sky decides. Mist, haze, smoke,
 *   dust, sand, spray, squalls, and funnel clouds have none
 */
export function codeOfGroups(groups: readonly WeatherGroup[]): number | undefined {
  const here = groups.filter(({ codes }) => !codes.some((code) => NOT_HERE.includes(code)));
  const hail = here.flatMap(({ codes }) => codes.filter((code) => code === 'GR' || code === 'GS'));
  const found = here.flatMap(({ intensity, codes }) => {
    const all = codes.includes('TS') ? [...codes, ...hail] : codes;
    const row = KINDS.findIndex(
      ({ has, not = '' }) =>
        !all.includes(not) && has.every((list) => list.some((code) => all.includes(code))),
    );
    const code = KINDS[row]?.codes[INTENSITIES.indexOf(intensity)];
    return code === undefined ? [] : [{ row, code }];
  });
  const [first] = found.sort((a, b) => a.row - b.row || b.code - a.code);
  return first?.code;
}
