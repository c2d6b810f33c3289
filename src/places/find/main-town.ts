import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { countryIndex } from '../data/place-record.js';
import { areasNamed, countryNamed } from '../names/countries.js';
import { regionsByName, regionsInCountry } from '../names/region-names.js';

/**
 * Returns the main town of a small country or region that a user names instead of a city: Malta, Bali. Returns
 * undefined for large countries and regions, where one town does not stand for the weather.
 *
 * @param by `name`: finds regions by name only; `code`: by code too, such as DC
 */
export function mainTown(
  data: GazetteerData,
  name: string,
  { codes, region }: AreaRecord,
  by: 'name' | 'code',
): number | undefined {
  const isMeant = (area: AreaRecord) => area.region === region;
  if (region !== undefined && !areasNamed(data, name).some(isMeant)) return undefined;
  const regionsOf = by === 'name' ? regionsByName : regionsInCountry;
  for (const code of codes) {
    for (const each of regionsOf(data, code, name)) {
      const seat = seatIn(data.regionSeats, each);
      if (seat !== undefined) return seat;
    }
  }
  const [code] = countryNamed(data, name)?.codes ?? [];
  if (code === undefined || !codes.includes(code)) return undefined;
  return seatIn(data.countrySeats, countryIndex(data, code));
}

function seatIn(seats: Uint32Array, index: number): number | undefined {
  const seat = seats[index] ?? 0;
  return seat === 0 ? undefined : seat - 1;
}
