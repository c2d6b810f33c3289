import { fold } from './fold.js';
import { firstNotLess } from './ascending.js';
import { bestFirst, createRanked, type Share } from './best-first.js';
import type { CityText } from './city-text.js';
import type { Countries } from './countries.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import { inRegion, TERRITORY_FACTOR } from './in-area.js';
import type { LiesIn } from './lies-in.js';
import type { NameList } from './name-list.js';
import { nameOf } from './name-of.js';
import { foldTyped } from './typed-names.js';
import { createWorth, wholeFactor } from './worth.js';

/** A place to suggest, and the text by which a lookup finds it. */
export interface Suggested {
  place: number;
  city: string;
}

/** Gives places whose name begins with a text, likeliest first; undefined for an unknown country. */
export type Suggest = (text: string, limit: number, country?: string) => Suggested[] | undefined;

/** After a space, so many of the likeliest names are looked at for those in which a word ends there. */
const WORD_CANDIDATES = 60;
const WORD_BREAK = /[ -]+/;

/** Finds names by their beginning, those of most worth first. */
export function createSuggest(
  data: GazetteerData,
  names: NameList,
  countries: Countries,
  liesIn: LiesIn,
  cityText: CityText,
): Suggest {
  const { homeStart, homeList } = data;
  const worth = createWorth(names, data.standing);
  const everywhere = createRanked(data.listTree, worth);
  const atHome = createRanked(data.homeTree, (item) => worth(homeList[item] ?? 0));

  return (text, limit, country) => {
    const area = country === undefined ? undefined : countries.resolve(country);
    if (country !== undefined && !area) return undefined;
    const found = new Map<number, string>();
    for (const name of matches(text, area)) {
      const place = names.place(name);
      const city = found.has(place) ? undefined : cityText(place);
      if (city !== undefined) found.set(place, city);
      if (found.size === limit) break;
    }
    return [...found].map(([place, city]) => ({ place, city }));
  };

  function* matches(text: string, area: AreaRecord | undefined): Generator<number> {
    const [name = '', ...within] = text.split(',').map((part) => part.trim());
    if (within.length > 0) {
      // "Springfield, Ill": the region or country is what is still being typed.
      const { from, exactTo } = names.range(fold(name));
      yield* listed(from, exactTo, area).filter((each) =>
        within.every((part) => liesIn(names.place(each), part)),
      );
    }
    const folded = foldTyped(text);
    if (/\s$/.test(text)) yield* wordFirst(beginningWith(folded, area), text);
    else yield* likeliest(folded, area);
    // الخرطوم is also Khartoum where it has no article in the data.
    if (fold(text) !== folded) yield* wholeNames(fold(text), area);
  }

  /** Names that are the whole text count more than longer ones; else each by its worth. */
  function* likeliest(folded: string, area: AreaRecord | undefined): Generator<number> {
    const whole = wholeNames(folded, area);
    let next = 0;
    for (const name of beginningWith(folded, area)) {
      const least = worth(name);
      for (; next < whole.length && wholeWorth(whole[next] ?? 0) >= least; next++) {
        yield whole[next] ?? 0;
      }
      yield name;
    }
  }

  function* beginningWith(folded: string, area: AreaRecord | undefined): Generator<number> {
    if (folded === '') return;
    const { from, to } = names.range(folded);
    // A part of a country has too few of its names to find them among the best of the country.
    if (area?.region !== undefined) yield* listed(from, to, area);
    else if (area) yield* ofCountries(from, to, area.codes);
    else yield* bestFirst([{ ranked: everywhere, from, to, divisor: 1 }]);
  }

  /** The names that are the text itself, those of most worth first. */
  function wholeNames(folded: string, area: AreaRecord | undefined): number[] {
    const { from, exactTo } = names.range(folded);
    return listed(from, exactTo, area).sort((a, b) => wholeWorth(b) - wholeWorth(a));
  }

  function wholeWorth(name: number): number {
    return worth(name) * wholeFactor(names.kind(name));
  }

  /** Places whose shown name begins with the words of the text come first: "san " is no Santiago. */
  function* wordFirst(candidates: Generator<number>, text: string): Generator<number> {
    const words = fold(text);
    const count = text.trim().split(WORD_BREAK).length;
    const others: number[] = [];
    let looked = 0;
    for (const name of candidates) {
      const shown = nameOf(data, names.place(name)).split(WORD_BREAK, count).join(' ');
      if (++looked > WORD_CANDIDATES) yield* [...others.splice(0), name];
      else if (fold(shown) === words) yield name;
      else others.push(name);
    }
    yield* others;
  }

  /** All names from `from` to before `to` in an area, those of most worth first. */
  function listed(from: number, to: number, area: AreaRecord | undefined): number[] {
    const [home, ...territories] = (area?.codes ?? []).map(numberOf);
    const worths = new Map<number, number>();
    for (let name = from; name < to; name++) {
      const place = names.place(name);
      const country = data.country[place] ?? -1;
      if (area?.region !== undefined && !inRegion(data, place, area.region)) continue;
      if (!area || country === home) worths.set(name, worth(name));
      else if (territories.includes(country)) worths.set(name, worth(name) / TERRITORY_FACTOR);
    }
    return [...worths].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  }

  /** The same for whole countries, without looking at all names. */
  function* ofCountries(from: number, to: number, codes: string[]): Generator<number> {
    const shares = codes.map(numberOf).map((country, i): Share => {
      const [first, end] = [homeStart[country] ?? 0, homeStart[country + 1] ?? 0];
      return {
        ranked: atHome,
        from: firstNotLess(homeList, from, first, end),
        to: firstNotLess(homeList, to, first, end),
        divisor: i === 0 ? 1 : TERRITORY_FACTOR,
      };
    });
    for (const item of bestFirst(shares)) yield homeList[item] ?? 0;
  }

  function numberOf(code: string): number {
    return data.countries.findIndex((record) => record.code === code);
  }
}
