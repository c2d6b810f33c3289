import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import { cityKey } from './key-hash.js';
import type { KeyTable } from './key-table.js';

/**
 * A city of the country itself comes before a namesake in one of its territories, unless the
 * namesake has this many times its population: Saint-Denis, France is near Paris; San Juan, USA is
 * in Puerto Rico.
 */
export const TERRITORY_FACTOR = 5;

/** Whether a place may be meant: it lies in what else was named. */
export type Within = (place: number) => boolean;

/** Gives the best place of a folded name in an area, of those that are `within`. */
export type InArea = (folded: string, area: AreaRecord, within?: Within) => number | undefined;

type Regions = Pick<GazetteerData, 'division' | 'district'>;

/** Whether a place lies in a region of the first or second level. */
export function inRegion({ division, district }: Regions, place: number, region: number): boolean {
  return division[place] === region || district[place] === region;
}

export function createInArea(data: GazetteerData, table: KeyTable): InArea {
  return (folded, area, within) => {
    if (folded === '') return undefined;
    const { codes, region } = area;
    const isMeant = (place: number): boolean =>
      (region === undefined || inRegion(data, place, region)) && (within?.(place) ?? true);
    const [home = '', ...territories] = codes;
    const best = table.values(cityKey(home, folded)).find(isMeant);
    let winner = best;
    for (const code of territories) {
      const rival = table.values(cityKey(code, folded)).find(isMeant);
      if (rival !== undefined && outranks(rival, winner, best)) winner = rival;
    }
    return winner;
  };

  function outranks(rival: number, winner: number | undefined, homeBest: number | undefined) {
    if (winner === undefined) return true;
    const factor = winner === homeBest ? TERRITORY_FACTOR : 1;
    return (data.population[rival] ?? 0) > factor * (data.population[winner] ?? 0);
  }
}
