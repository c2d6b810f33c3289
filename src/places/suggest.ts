import { fold } from './fold.js';
import type { Countries } from './countries.js';
import { displayName } from './display-name.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import type { LiesIn } from './lies-in.js';
import type { NameList } from './name-list.js';
import { createNameSearch } from './name-search.js';
import type { Scored } from './segment-tree.js';
import { createShownFit } from './shown-fit.js';
import { foldTyped } from './typed-names.js';
import type { UnambiguousName } from './unambiguous-name.js';

/** A suggested place, and the name by which a lookup finds it. */
export interface Suggestion {
  place: number;
  city: string;
}

/** Returns places whose name begins with a text, the most likely first; undefined for an unknown country. */
export type Suggest = (text: string, limit: number, country?: string) => Suggestion[] | undefined;

/** Maximum number of names of which the shown names are compared with the text. More: a short text costs more CPU time. */
const MAX_COMPARED = 100;
/**
 * A place whose shown name does not begin with the text is left out if its score is a lower fraction of the best score:
 * "san fr" does not suggest Albuquerque, although it is named San Francisco de Albuquerque.
 */
const MIN_SCORE_SHARE = 1 / 1000;
const LATIN = /^[\0-\x7f]+$/;

/** A name whose score has been multiplied by a factor. */
interface Rated extends Scored {
  /** Whether neither the shown name begins with the text, nor the name equals it. */
  isDoubtful: boolean;
}

/** Creates the search for names by their beginning, in descending order of score. */
export function createSuggest(
  data: GazetteerData,
  names: NameList,
  countries: Countries,
  liesIn: LiesIn,
  unambiguousName: UnambiguousName,
): Suggest {
  const { beginningWith, equalTo } = createNameSearch(data, names);

  return (text, limit, country) => {
    const area = country === undefined ? undefined : countries.resolve(country);
    if (country !== undefined && !area) return undefined;
    const found = new Map<number, string>();
    for (const { item } of matches(text, area)) {
      const place = names.place(item);
      const city = found.has(place) ? undefined : unambiguousName(place);
      if (city !== undefined) found.set(place, city);
      if (found.size === limit) break;
    }
    return [...found].map(([place, city]) => ({ place, city }));
  };

  function* matches(text: string, area: AreaRecord | undefined): Generator<Scored> {
    const [name = '', ...within] = text.split(',').map((part) => part.trim());
    if (within.length > 0) {
      // "Springfield, Ill": the name is complete, and the user still types the region or country.
      yield* equalTo(fold(name), area).filter(({ item }) =>
        within.every((part) => liesIn(names.place(item), part)),
      );
    }
    const folded = foldTyped(text);
    // Shown names are in Latin letters, so a text in another script begins none of them.
    if (LATIN.test(folded)) yield* shownFirst(text, folded, area);
    else yield* beginningWith(folded, area);
    // The data may have a name without the Arabic article: الخرطوم.
    if (fold(text) !== folded) yield* equalTo(fold(text), area);
  }

  /** Yields one name of each place, in descending order of score after the factors, without unlikely places. */
  function* shownFirst(text: string, folded: string, area?: AreaRecord): Generator<Scored> {
    const fitOf = createShownFit(text);
    const { exactTo } = names.range(folded);
    const places = new Set<number>();
    const waiting: Rated[] = [];
    let least = 0;
    let compared = 0;

    /** Removes the waiting names with at least a score, and yields them. */
    function* ready(score: number): Generator<Scored> {
      for (let next = waiting[0]; next && next.score >= score; next = waiting[0]) {
        waiting.shift();
        least ||= next.score * MIN_SCORE_SHARE;
        if (!next.isDoubtful || next.score >= least) yield next;
      }
    }

    for (const { item, score } of beginningWith(folded, area)) {
      // The factors are at most 1, so no later name has a higher score.
      yield* ready(score);
      if (++compared > MAX_COMPARED) {
        yield* ready(0);
        yield { item, score };
        continue;
      }
      const place = names.place(item);
      if (places.has(place)) continue;
      places.add(place);
      const { factor, isShown } = fitOf(displayName(data, place));
      const rated = { item, score: score * factor, isDoubtful: !isShown && item >= exactTo };
      const at = waiting.findIndex((other) => other.score < rated.score);
      waiting.splice(at < 0 ? waiting.length : at, 0, rated);
    }
    yield* ready(0);
  }
}
