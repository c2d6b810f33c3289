import type { Countries } from './countries.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import type { RegionNames } from './region-names.js';

/**
 * Gives the main town of a small country or region that is asked for as a city: Malta, Bali. Undefined for large
 * ones, which have no weather of their own.
 *
 * @param by by any name of a region, or by its code too: DC
 */
export type SmallArea = (name: string, area: AreaRecord, by: 'name' | 'code') => number | undefined;

export function createSmallArea(
  data: GazetteerData,
  countries: Countries,
  regionNames: RegionNames,
): SmallArea {
  return (name, area, by) => {
    const regionsOf = (code: string): Uint32Array =>
      by === 'name' ? regionNames.byName(code, name) : regionNames.inCountry(code, name);
    if (
      area.region !== undefined &&
      !countries.areas(name).some(({ region }) => region === area.region)
    ) {
      return undefined;
    }
    for (const code of area.codes) {
      for (const region of regionsOf(code)) {
        const seat = data.regionSeats[region] ?? 0;
        if (seat !== 0) return seat - 1;
      }
    }
    const [code] = countries.country(name)?.codes ?? [];
    if (code === undefined || !area.codes.includes(code)) return undefined;
    const seat = data.countrySeats[data.countries.findIndex((record) => record.code === code)] ?? 0;
    return seat === 0 ? undefined : seat - 1;
  };
}
