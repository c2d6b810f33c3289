/** Population of a seat of government where GeoNames has none: a low estimate. */
const SEATS: Record<string, number> = { PPLC: 100_000, PPLA: 50_000 };
/** For the seat of a second-level division: this many for each of its names. */
const SECOND_LEVEL_SEAT = 'PPLA2';
const SEAT_PEOPLE_PER_NAME = 5_000;
/**
 * A large place has many names. GeoNames has villages with the population of their whole district,
 * by mistake: a Gorakhpur of 1.3 million with three names. A place with few names gets at most this
 * many for each.
 */
const FEW_NAMES = 10;
const MOST_PEOPLE_PER_NAME = 15_000;

/**
 * The population by which places of the same name are ranked.
 *
 * @param population as GeoNames gives it, 0 when unknown
 * @param feature GeoNames feature code
 * @param names number of names that GeoNames has, in all languages
 */
export function people(population: number, feature: string, names: number): number {
  if (population > 0) {
    const doubtful = names < FEW_NAMES && !(feature in SEATS);
    return doubtful ? Math.min(population, MOST_PEOPLE_PER_NAME * Math.max(names, 1)) : population;
  }
  if (feature === SECOND_LEVEL_SEAT) return SEAT_PEOPLE_PER_NAME * names;
  return SEATS[feature] ?? 0;
}
