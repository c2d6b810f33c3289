/** Offers cities that the user may have meant by an unknown city. */
import type { PlaceClient } from '../search/place-client.js';
import { guesses } from '../search/place-search.js';
import type { Failure } from '../service/api-client.js';
import { linksIn } from '../service/links.js';
import { nameOf, queryIn, type City } from '../service/queries.js';
import type { View } from '../view/view.js';

/** A city, and the text of its link. */
export interface Choice {
  city: City;
  label: string;
}

/** Returns the similar cities that an error response links to: each link is the same request for another city. */
export function linkedChoices(headers: Headers): Choice[] {
  return linksIn(headers.get('Link') ?? '').flatMap(({ target, relations, title }) => {
    const query = queryIn(target.replace(/^[^?]*/, ''));
    if (!relations.includes('alternate') || !query || 'lat' in query) return [];
    return [{ city: query, label: title || nameOf(query) }];
  });
}

/** Offers the cities that the response links to, or else those whose names begin like the unknown city. */
export async function offerAlternatives(
  { view, places }: { view: View; places: PlaceClient },
  city: City,
  signal: AbortSignal,
  failure?: Failure,
): Promise<void> {
  const linked = failure ? linkedChoices(failure.headers) : [];
  const guessed = linked.length > 0 ? [] : await guesses(places, city, signal).catch(() => []);
  if (signal.aborted) return;
  view.offerChoices([...linked, ...guessed.map((each) => ({ city: each, label: nameOf(each) }))]);
}
