import { fold } from '../weather/fold.js';
import { firstNotLess } from './ascending.js';
import { bestFirst, createRanked, type Share } from './best-first.js';
import type { CityText } from './city-text.js';
import type { Countries } from './countries.js';
import { TERRITORY_FACTOR } from './find-city.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import type { LiesIn } from './lies-in.js';
import { createNameList, NameKind } from './name-list.js';
import { nameOf } from './near-names.js';
import { foldTyped } from './typed-names.js';
import { createWorth } from './worth.js';

/** A place to suggest, and the text by which a lookup finds it. */
export interface Suggested {
  place: number;
  city: string;
}

/** Gives places whose name begins with a text, likeliest first; undefined for an unknown country. */
export type Suggest = (text: string, limit: number, country?: string) => Suggested[] | undefined;

/** By a whole name, a place of so many people comes before longer names … */
const TOWN_POPULATION = 15_000;
/** … and by their main names so many of any size: "buda" is Budapest more than most of ten villages. */
const LIKELIEST = 2;
/** After a space, so many of the likeliest names are looked at for those in which a word ends there. */
const WORD_CANDIDATES = 60;
const WORD_BREAK = /[ -]+/;

/** Finds names by their beginning: a town's whole name before longer ones, each by worth. */
export function createSuggest(
  data: GazetteerData,
  countries: Countries,
  liesIn: LiesIn,
  cityText: CityText,
): Suggest {
  const names = createNameList(data);
  const { homeStart, homeList } = data;
  const population = (name: number): number => data.population[names.place(name)] ?? 0;
  const worth = createWorth(names, data.population);
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
    else yield* wholeFirst(folded, area);
    // الخرطوم is also Khartoum where it has no article in the data.
    if (fold(text) !== folded) yield* wholeNames(fold(text), area);
  }

  function* wholeFirst(folded: string, area: AreaRecord | undefined): Generator<number> {
    yield* wholeNames(folded, area);
    yield* beginningWith(folded, area);
  }

  function* beginningWith(folded: string, area: AreaRecord | undefined): Generator<number> {
    if (folded === '') return;
    const { from, to } = names.range(folded);
    // A part of a country has too few of its names to find them among the best of the country.
    if (area?.division !== undefined) yield* listed(from, to, area);
    else if (area) yield* ofCountries(from, to, area.codes);
    else yield* bestFirst([{ ranked: everywhere, from, to, divisor: 1 }]);
  }

  /** The whole names that mean their place more than others whose name begins with them. */
  function wholeNames(folded: string, area: AreaRecord | undefined): number[] {
    const { from, exactTo } = names.range(folded);
    const whole = listed(from, exactTo, area);
    const mains = whole.filter((name) => names.kind(name) === NameKind.main);
    const likeliest = mains.slice(0, LIKELIEST);
    return whole.filter(
      (name) =>
        likeliest.includes(name) ||
        (names.kind(name) !== NameKind.remote && population(name) >= TOWN_POPULATION),
    );
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
      if (area?.division !== undefined && data.division[place] !== area.division) continue;
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
