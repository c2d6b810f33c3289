import type { PlaceClient } from '../search/place-client.js';
import { alternatives } from '../search/place-search.js';
import type { City } from '../service/questions.js';
import type { View } from '../view/view.js';

/**
 * Offers cities that the user may have meant by an unknown city.
 * @param message of the error response
 */
export async function offerAlternatives(
  { view, places }: { view: View; places: PlaceClient },
  city: City,
  message: string,
  signal: AbortSignal,
): Promise<void> {
  const cities = await alternatives(places, city, message, signal).catch(() => []);
  if (!signal.aborted) view.offerCities(cities);
}
