/** Where GeoNames has no population: a seat of government has at least so many people. */
const SEATS: Record<string, number> = { PPLC: 100_000, PPLA: 50_000 };
/** … and the seat of a second-level division so many for each of the names that it is known by. */
const SECOND_LEVEL_SEAT = 'PPLA2';
const SEAT_PEOPLE_PER_NAME = 5_000;
/**
 * A large place is known by many names. GeoNames has villages with the population of a whole
 * district entered by mistake (a Gorakhpur of 1.3 million with three names): they are cut to this.
 */
const FEW_NAMES = 10;
const MOST_PEOPLE_PER_NAME = 15_000;

/**
 * How many people a place has, made fit to rank namesakes by.
 *
 * @param population as GeoNames gives it, 0 when unknown
 * @param feature GeoNames feature code
 * @param names how many names GeoNames knows, in all languages
 */
export function people(population: number, feature: string, names: number): number {
  if (population > 0) {
    const doubtful = names < FEW_NAMES && !(feature in SEATS);
    return doubtful ? Math.min(population, MOST_PEOPLE_PER_NAME * Math.max(names, 1)) : population;
  }
  if (feature === SECOND_LEVEL_SEAT) return SEAT_PEOPLE_PER_NAME * names;
  return SEATS[feature] ?? 0;
}
