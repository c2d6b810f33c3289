/** Population of a seat of government by feature code, if GeoNames has none: a low estimate. */
const SEATS: Record<string, number> = { PPLC: 100_000, PPLA: 50_000 };
/** The seat of a second-level division has this population for each of its names. */
const SECOND_LEVEL_SEAT = 'PPLA2';
const SEAT_PEOPLE_PER_NAME = 5_000;
/**
 * A place's maximum population per name, if it has few names. GeoNames has wrong populations of
 * villages: 1.3 million, the population of the district, for a Gorakhpur with three names.
 */
const FEW_NAMES = 10;
const MOST_PEOPLE_PER_NAME = 15_000;

/**
 * Returns the population by which places of the same name are sorted.
 *
 * @param population of GeoNames; 0 if unknown
 * @param feature GeoNames feature code
 * @param names number of names in GeoNames, in all languages
 */
export function people(population: number, feature: string, names: number): number {
  if (population > 0) {
    const doubtful = names < FEW_NAMES && !(feature in SEATS);
    return doubtful ? Math.min(population, MOST_PEOPLE_PER_NAME * Math.max(names, 1)) : population;
  }
  if (feature === SECOND_LEVEL_SEAT) return SEAT_PEOPLE_PER_NAME * names;
  return SEATS[feature] ?? 0;
}
