import type { Countries } from '../names/countries.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { countryIndex } from '../data/place-record.js';
import type { RegionNames } from '../names/region-names.js';

export type MainTown = ReturnType<typeof createMainTown>;

/**
 * Returns the main town of a small country or region that a user names instead of a city: Malta, Bali. Returns
 * undefined for large countries and regions, where one town does not stand for the weather.
 *
 * @param by `name`: finds regions by name only; `code`: by code too, such as DC
 */
export function createMainTown(
  data: GazetteerData,
  countries: Countries,
  regionNames: RegionNames,
) {
  return (name: string, area: AreaRecord, by: 'name' | 'code'): number | undefined => {
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
        const seat = seatIn(data.regionSeats, region);
        if (seat !== undefined) return seat;
      }
    }
    const [code] = countries.country(name)?.codes ?? [];
    if (code === undefined || !area.codes.includes(code)) return undefined;
    return seatIn(data.countrySeats, countryIndex(data, code));
  };
}

function seatIn(seats: Uint32Array, index: number): number | undefined {
  const seat = seats[index] ?? 0;
  return seat === 0 ? undefined : seat - 1;
}
