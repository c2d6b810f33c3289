import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../support/properties.js';
import { loadPlaceData } from '../../src/places/place-data.js';
import { loadGazetteer } from '../../src/places/gazetteer.js';
import { cleanName } from '../../src/text/place-names.js';
import { find } from '../support/gazetteer.js';
import { measureSuggestions } from '../../tools/places/queries/areas-and-codes.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

const gazetteer = loadGazetteer(builtGazetteer());

function suggested(text: string, country?: string, limit = 5): string[] {
  const places = gazetteer.suggest(text, limit, country) ?? [];
  return places.map(({ city, countryCode }) => `${city}, ${countryCode}`);
}

const LARGE_SANS = ['San Antonio, US', 'San Diego, US', 'San Francisco, US', 'San Jose, US'];

describe('a text with which no name begins', () => {
  it('suggests the largest towns of the country or region that it names, also if it is misspelled', () => {
    for (const [text, first] of [
      ['Norwya', 'Oslo'],
      ['Bavaria', 'Munich'],
      ['Niedersachsen', 'Hannover'],
      ['Califronia', 'Los Angeles'],
      // Austria is as similar, and has smaller cities.
      ['Austrlia', 'Sydney'],
    ]) {
      assert.equal(gazetteer.suggest(text!, 5)?.[0]?.city, first, text);
    }
    assert.equal(gazetteer.suggest('Norwya', 3, 'Norge')?.length, 3);
    // A part of a city is not a town.
    assert.ok(!suggested('Kuwiat').includes('As Sālimīyah, KW'));
    assert.deepEqual(gazetteer.suggest('Norwya', 3, 'Chile'), []);
    for (const [text, first] of [
      ['Bavraia, Germany', 'Munich'],
      ['Kent, England', 'Maidstone'],
      ['Tuscany, IT', 'Florence'],
      ['Adygeya, Respublika', 'Maykop'],
    ]) {
      assert.equal(gazetteer.suggest(text!, 5)?.[0]?.city, first, text);
    }
    assert.deepEqual(gazetteer.suggest('Bavaria, France', 5), []);
    // The page asks for a city of this name in the region of the first suggestion.
    assert.deepEqual(gazetteer.suggest('Bavaria, Bavaria, Germany', 5), []);
  });
});

describe('a country before the beginning of a town', () => {
  it('suggests the towns of the country that begin with the rest', () => {
    for (const [text, first] of [
      ['USA San Fra', 'San Francisco, US'],
      ['Germany Fra', 'Frankfurt am Main, DE'],
      ['Brazil Porto Al', 'Porto Alegre, BR'],
      ['Australia Hamilton Island', 'Hamilton Island, AU'],
      ['France Mar', 'Marseille, FR'],
    ]) {
      assert.equal(suggested(text!)[0], first, text);
    }
  });
});

describe('the name of a country or region', () => {
  it('has a town of it among the first three suggestions, and namesakes', () => {
    for (const { what, wrong } of measureSuggestions(gazetteer, loadPlaceData(builtGazetteer()))) {
      assert.deepEqual(wrong, [], what);
    }
    for (const [text, ...places] of [
      ['Jamaica', 'Kingston, JM', 'Jamaica, US'],
      ['Georgia', 'Tbilisi, GE', 'Atlanta, US'],
      ['washington', 'Washington, US', 'Seattle, US'],
      ['Deutchland', 'Berlin, DE'],
      ['Alemnia', 'Berlin, DE'],
      ['texas', 'Houston, US', 'Texas City, US', 'Austin, US'],
    ] as const) {
      for (const place of places) assert.ok(suggested(text, undefined, 6).includes(place), text);
    }
    assert.deepEqual(suggested('near me'), []);
    // An estate without people comes after the towns.
    const society = 'Pakistan Employees Cooperative Housing Society, PK';
    assert.ok(!suggested('Pakistán', undefined, 6).includes(society));
  });

  it('does not change the order of places with the same name, which is that of lookups', () => {
    const match = gazetteer.findCity('Springfield', 'USA');
    assert.ok(match.kind === 'found' && match.place.region === 'Missouri');
    assert.equal(suggested('springfield')[0], 'Springfield, Missouri, US');
  });
});

describe('a region with its country', () => {
  it('suggests its largest towns before other towns of its name, also while the country is typed', () => {
    for (const text of ['Nevada, US', 'Nevada USA', 'nevada, united st']) {
      const cities = gazetteer.suggest(text, 3)?.map(({ city }) => city);
      assert.deepEqual(cities, ['Las Vegas', 'Nevada City', 'Henderson, Nevada'], text);
    }
    for (const [text, first] of [
      ['Victoria, Australia', 'Melbourne'],
      ['Punjab, India', 'Ludhiana'],
      ['广东, 中国', 'Shenzhen'],
    ]) {
      assert.equal(gazetteer.suggest(text!, 5)?.[0]?.city, first, text);
    }
    assert.equal(gazetteer.suggest('Georgia, US', 5)?.length, 5);
    for (const [text, town, country] of [
      ['Peoria Arizona USA', 'Peoria', undefined],
      ['Newcastle NSW Australia', 'Newcastle', 'Australia'],
      ['中国广东省佛山市', 'Foshan', '中国'],
    ] as const) {
      const [first] = gazetteer.suggest(text, 3, country) ?? [];
      assert.equal(first?.city.split(',')[0], town, text);
      assert.equal(find(text, country ?? 'USA').split(',')[0], town, text);
    }
  });

  it('does the same without its country, if the places of its name are far smaller than its largest town', () => {
    for (const [text, first, namesake] of [
      ['texas', 'Houston', 'Texas City'],
      ['tuscany', 'Florence', 'Tuscany'],
      ['queensland', 'Brisbane', 'Queensland'],
      // A parish of Jamaica, and the city of Virginia Beach.
      ['hanover', 'Hannover', 'Hanover, Pennsylvania'],
      ['virginia', 'Virginia Beach', 'Virginia, Minnesota'],
    ] as const) {
      const cities = gazetteer.suggest(text, 5)?.map(({ city }) => city) ?? [];
      assert.equal(cities[0], first, text);
      assert.ok(cities.indexOf(namesake) > 0, text);
    }
    // The beginning of San Antonio, and not Sanaa with its towns.
    assert.ok(!suggested('san a').includes('Bayt al Faqih, YE'));
  });

  it('is the city of its name if that is large or lies in the region', () => {
    for (const [text, city, region] of [
      ['Washington, US', 'Washington', 'District of Columbia'],
      ['Victoria, Canada', 'Victoria', 'British Columbia'],
      ['Schwyz, Switzerland', 'Schwyz', 'Schwyz'],
      ['Salzburg Austria', 'Salzburg', 'Salzburg'],
      // A region of the second level.
      ['Durham, UK', 'Durham', 'England'],
    ]) {
      const [first] = gazetteer.suggest(text!, 5) ?? [];
      assert.deepEqual([first?.city, first?.region], [city, region], text);
    }
    // Other towns of the canton and of the province are not meant.
    for (const [text, town] of [
      ['Geneva', 'Vernier, CH'],
      ['Yamagata', 'Tsuruoka, JP'],
      ['Valencia, Spain', 'Alicante, ES'],
    ] as const) {
      assert.ok(!suggested(text).includes(town), text);
    }
    // A town in two words is not meant by one, nor are its neighbors.
    assert.ok(!suggested('Georgetown', undefined, 6).includes('Whitehall Estates, KY'));
  });
});

describe('suggestions', () => {
  it('have the name, region, country, time zone, and coordinates of a place', () => {
    assert.deepEqual(gazetteer.suggest('pots', 1), [
      {
        city: 'Potsdam',
        country: 'Germany',
        countryCode: 'DE',
        region: 'Brandenburg',
        timeZone: 'Europe/Berlin',
        elevation: 34,
        latitude: 52.39886,
        longitude: 13.06566,
      },
    ]);
  });

  it('begin with the place that is meant, in any spelling and script', () => {
    const first: [place: string, ...texts: string[]][] = [
      ["Val-d'Isère, FR", "val d'isere", 'VAL-D-ISÈ', 'val d’isèr'],
      ['Beijing, CN', '北京', 'пекин', 'Peki', 'beij'],
      ['Munich, DE', 'münch', 'munch', 'Мюнх', 'muenche', 'ミュン'],
      ['Cairo, EG', 'القاه', 'قاهر', 'Каир'],
      ['New York City, US', 'nyc', 'new yor', 'new york, new'],
      ['Istanbul, TR', 'İstanb', 'istanb', 'ıstanb'],
      ['Tokyo, JP', '東', '東京', 'toky'],
      ['Kamagaya, JP', '鎌ケ', '鎌ヶ', '鎌が', '鎌ヶ谷', '鎌ガ谷'],
      // A complete name: the best-known place of this name.
      ['Newcastle upon Tyne, GB', 'Newcastle'],
      ['Hannover, DE', 'Hanover'],
      ['Porto, PT', 'Porto'],
      ['Halifax, CA', 'Halifax'],
    ];
    for (const [place, ...texts] of first) {
      for (const text of texts) assert.equal(suggested(text)[0], place, text);
    }
  });

  it('have the largest towns of a country, unless its name is also that of a city', () => {
    for (const [text, ...towns] of [
      ['italia', 'Rome, IT', 'Milan, IT', 'Naples, IT'],
      ['Česko', 'Prague, CZ'],
      ['lebanon', 'Beirut, LB'],
      // The name of a city in another language.
      ['cuba', 'Havana, CU'],
      ['Granada', 'Granada, ES'],
      ['Panama', 'Panama City, PA'],
      // The beginning of a name, and not a code.
      ['de', 'Delhi, IN'],
    ]) {
      assert.deepEqual(suggested(text!).slice(0, towns.length), towns, text);
    }
    assert.deepEqual(suggested('italia', undefined, 1), ['Rome, IT']);
  });

  it('do not change while the user types a word that lookups abbreviate', () => {
    const cases: [place: string, texts: string[], country?: string][] = [
      ['Saint Petersburg, RU', ['Sain', 'Saint', 'Saint ', 'Saint P', 'St.', 'St P']],
      ['Fortaleza, BR', ['For', 'Fort', 'Forta'], 'BR'],
      ['Fort Worth, US', ['Fort', 'Fort ', 'Ft', 'Ft Wo'], 'US'],
      ['Port Saint Lucie, US', ['Port Sain', 'Port Saint', 'Port St L'], 'US'],
      ['Cairo, EG', ['الق', 'القا', 'القاهرة', 'قاه']],
      ['Algiers, DZ', ['الجز', 'الجزا', 'جزائر']],
    ];
    for (const [place, texts, country] of cases) {
      for (const text of texts) assert.ok(suggested(text, country).includes(place), text);
    }
    for (const place of ['Istanbul, TR', 'Stockholm, SE']) {
      assert.ok(!suggested('Saint', undefined, 10).includes(place), place);
    }
    // The data has no article. Lookups ignore it.
    assert.equal(suggested('البرلين')[0], 'Berlin, DE');
    // The names of other places begin with this text.
    assert.ok(suggested('البراك').includes('Brak, LY'));
  });

  it('include a famous city, although the text is a village, or begins its name in another language', () => {
    const cases = [
      ['Alma', 'Almaty, KZ'],
      ['Berg', 'Bergen, NO'],
      ['mue', 'Munich, DE'],
      ['kob', 'Copenhagen, DK'],
      ['とうき', 'Tokyo, JP'],
      ['Ста', 'Istanbul, TR'],
    ] as const;
    for (const [text, place] of cases) assert.ok(suggested(text).includes(place), text);
  });

  it('treat a space as the end of a word', () => {
    assert.deepEqual(suggested('San ').slice(0, 4).sort(), LARGE_SANS);
    assert.equal(suggested('Salt ')[0], 'Salt Lake City, US');
    for (const place of ['New York City, US', 'New Delhi, IN']) {
      assert.ok(suggested('New ').includes(place), place);
    }
    // If no name has a word break there, longer names are suggested.
    assert.equal(suggested('Нью ')[0], 'New York City, US');
    assert.deepEqual(suggested('Berli '), suggested('Berli'));
    // A small town with this word comes before a city with a longer word, and a village after it.
    assert.deepEqual(suggested('Wolf '), [
      'Wolf Point, US',
      'Wolf Trap, US',
      'Wolfsburg, DE',
      'Wolf Lake, US',
      'Wolfenbüttel, DE',
    ]);
  });

  it('in a country are only places of this country, the most likely first', () => {
    assert.deepEqual(suggested('san', 'US', 4).sort(), LARGE_SANS);
    assert.deepEqual(suggested('san', 'États-Unis'), suggested('san', 'US'));
    for (const each of suggested('l', 'Scotland', 10)) assert.match(each, /, GB$/);
    assert.ok(!suggested('lon', 'Scotland', 10).includes('London, GB'));
    assert.deepEqual(suggested('c', 'Ceuta'), ['Ceuta, ES']);
  });

  it('in a country include places of the areas that people count to it, as lookups do', () => {
    for (const [text, country, place] of [
      ['Simferop', 'Russia', 'Simferopol, Ukraine'],
      ['Monac', 'France', 'Monaco, Monaco'],
      // The first region of this code is in another country.
      ['Lugan', 'TI', 'Lugano, Switzerland'],
    ] as const) {
      const [first] = gazetteer.suggest(text, 1, country) ?? [];
      assert.equal(`${first?.city}, ${first?.country}`, place);
      assert.equal(find(first?.city ?? '', country), place);
    }
  });

  it('in a country include places of its territories after its own', () => {
    assert.ok(suggested('Guam, USA').every((place) => place.endsWith(', GU')));
    // The first one is what a lookup finds: no namesake, and no town of a country of this name.
    for (const [text, place] of [
      ['Santa Maria, Portugal', 'Vila Do Porto, PT'],
      ['Tobago, Trinidad and Tobago', 'Scarborough, TT'],
      ['Kuril Islands, Japan', 'Yuzhno-Kurilsk, RU'],
    ] as const) {
      assert.equal(suggested(text)[0], place);
    }
    assert.equal(suggested('Golan Heights', 'Syria')[0], 'Katzrin, IL');
    assert.equal(suggested('san juan', 'US')[0], 'San Juan, PR');
    assert.deepEqual(suggested('saint-den', 'France', 2), ['Saint-Denis, FR', 'Saint-Denis, RE']);
    // Nouméa has five times the score of Noisy-le-Sec.
    assert.deepEqual(suggested('no', 'France', 3).slice(1), ['Nouméa, NC', 'Noisy-le-Sec, FR']);
  });

  it('have likely places first, complete names before longer names, and nicknames and foreign names last', () => {
    for (const [text, place] of [
      ['san', 'San Francisco, US'],
      ['por', 'Portland, Oregon, US'],
      ['queen', 'Queenstown, NZ'],
    ] as const) {
      assert.ok(suggested(text).includes(place), text);
    }
    assert.equal(suggested('victoria')[0], 'Victoria, CA');
    assert.equal(suggested('queen')[0], 'Queenstown, ZA');
    assert.deepEqual(suggested('portland', undefined, 2), [
      'Portland, Oregon, US',
      'Portland, Maine, US',
    ]);
    assert.deepEqual(suggested('springfield', 'US', 3).sort(), [
      'Springfield, Illinois, US',
      'Springfield, Massachusetts, US',
      'Springfield, Missouri, US',
    ]);
    // Every other Stuart has less than a tenth of its population.
    assert.equal(suggested('stuart', 'US')[0], 'Stuart, US');
    // Spring has 60,000 people, Spring Valley in Nevada three times as many.
    const spring = suggested('spring', 'US', 10);
    assert.ok(spring.indexOf('Spring, US') < spring.indexOf('Spring Valley, Nevada, US'));
    // Paris, Texas has 25,000 people, Parisot in France a thousand.
    assert.equal(suggested('paris')[0], 'Paris, FR');
    // ORD is the code of an airport. A user who types "ord" does not mean it.
    assert.notEqual(suggested('ord', 'US')[0], 'Chicago, US');
  });

  it('have a town that has the name of a region among the first three', () => {
    for (const [text, namesake] of [
      ['ontario', 'Ontario, US'],
      ['florida', 'Florida, CO'],
    ] as const) {
      for (const limit of [5, 10]) {
        assert.ok(suggested(text, undefined, limit).slice(0, 3).includes(namesake), text);
      }
    }
  });

  it('have no place for the name of a language in the language itself', () => {
    for (const text of ['日本語', 'हिन्दी', 'ქართული']) assert.deepEqual(suggested(text), [], text);
  });

  it('have places with the text in the shown name before others of similar fame', () => {
    const first: [text: string, country: string | undefined, ...places: string[]][] = [
      ['portl', undefined, 'Portland, Oregon, US', 'Portland, Maine, US', 'Port Louis, MU'],
      ['constan', undefined, 'Constanţa, RO', 'Constantine, DZ', 'Istanbul, TR'],
      ['alba', 'US', 'Albany, New York, US'],
      ['geor', 'MY', 'George Town, MY'],
      ['buca', undefined, 'Bucaramanga, CO', 'Bucharest, RO'],
      // People do not type a space within a word.
      ['san a', undefined, 'San Antonio, US'],
      // A whole name in another language is as likely as the beginning of a shown name.
      ['roma', undefined, 'Rome, IT', 'Roman, RO'],
      ['santa f', undefined, 'Santa Fe, New Mexico, US', 'Santa Fe, AR'],
      // A later word of the shown name.
      ['hag', undefined, 'The Hague, NL', 'Hagen, DE'],
      ['quer', undefined, 'Santiago de Querétaro, MX'],
      ['as sal', undefined, 'As Sālimīyah, KW'],
      // Words that a user types as one.
      ['newy', undefined, 'New York City, US'],
      // Another name of a place that is far better known.
      ['peki', undefined, 'Beijing, CN', 'Pekin, US'],
      ['bomb', undefined, 'Mumbai, IN'],
      ['saig', undefined, 'Ho Chi Minh City, VN'],
      ['leningrad', undefined, 'Saint Petersburg, RU'],
    ];
    for (const [text, country, ...places] of first) {
      assert.deepEqual(suggested(text, country, places.length), places, text);
    }
    // Both names of San Francisco begin with it. So do rare names of four other places.
    assert.deepEqual(suggested('san fr', 'US', 10), ['San Francisco, US']);
    // The code of an airport is not a name.
    for (const [code, city] of [
      ['abq', 'Albuquerque, US'],
      ['lax', 'Los Angeles, US'],
    ] as const) {
      assert.ok(!suggested(code, undefined, 10).includes(city), code);
    }
  });

  it('are as many as requested, although the most likely places have many names each', () => {
    for (const text of ['mo', 'ist', 'lon'])
      assert.equal(suggested(text, undefined, 10).length, 10, text);
  });

  it('continue while the user types the region or country', () => {
    assert.deepEqual(suggested('springfield, ill'), ['Springfield, Illinois, US']);
    assert.equal(suggested('Tehran, Iran, Islamic Republic of')[0], 'Tehran, IR');
    // Without a comma, if no name begins with the text.
    for (const [text, place] of [
      ['London UK', 'London, GB'],
      ['San Fernando Trinidad and Tobago', 'San Fernando, TT'],
      ['Portland maine', 'Portland, Maine, US'],
    ] as const) {
      assert.equal(suggested(text)[0], place);
    }
    // The next readings of a text are those of lookups.
    for (const [text, place] of [
      ['Bayern München', 'Munich, DE'],
      ['Московская область, Химки', 'Khimki, RU'],
      ['京都府京都市', 'Kyoto, JP'],
      ['Yalta, Russia', 'Yalta, UA'],
      ['Jerusalem, Palestine', 'Jerusalem, IL'],
    ] as const) {
      assert.equal(suggested(text)[0], place, text);
    }
    assert.deepEqual(suggested('London Atlantis'), []);
    assert.deepEqual(suggested('portland, OR'), ['Portland, Oregon, US']);
    assert.equal(suggested('paris, fr')[0], 'Paris, FR');
    assert.equal(suggested('london, on', 'Canada')[0], 'London, CA');
    assert.equal(suggested('paris, texas, usa')[0], 'Paris, Texas, US');
    assert.ok(suggested('springfield,').length > 1);
  });

  it('are empty for an unknown name, and undefined for an unknown country', () => {
    assert.deepEqual(gazetteer.suggest('xqzwvk', 5), []);
    assert.deepEqual(gazetteer.suggest(',', 5), []);
    assert.deepEqual(gazetteer.suggest('xqzwvk', 5, 'France'), []);
    assert.equal(gazetteer.suggest('paris', 5, 'Atlantis'), undefined);
  });
});

describe('each suggestion', () => {
  const data = loadPlaceData(builtGazetteer());
  const names = data.nameList;
  const decoder = new TextDecoder();
  const nameAt = (i: number): string => decoder.decode(names.bytes.subarray(0, names.read(i)));

  it('is found by the first and the last names of the list and of its blocks', () => {
    for (const i of [0, 1, 15, 16, 17, names.length - 1]) {
      const { from, exactTo, to } = names.range(nameAt(i));
      assert.ok(from <= i && i < exactTo && exactTo <= to, nameAt(i));
    }
  });

  /** The beginning of any name of any place, in one country or in all. */
  const question = fc.record({
    name: fc.nat(data.list.length - 1),
    length: fc.integer({ min: 1, max: 12 }),
    country: fc.option(fc.constantFrom(...data.countries.map(({ code }) => code))),
    limit: fc.integer({ min: 1, max: 10 }),
  });

  it('is a valid name, and finds exactly the same place', () => {
    fc.assert(
      fc.property(question, ({ name, length, country, limit }) => {
        const text = Array.from(nameAt(name)).slice(0, length).join('');
        const places = gazetteer.suggest(text, limit, country ?? undefined) ?? [];
        assert.ok(places.length <= limit);
        for (const { city, country: shown, latitude, longitude } of places) {
          const cleaned = cleanName(city);
          assert.ok(cleaned.ok && cleaned.name.shown === city, city);
          const match = gazetteer.findCity(cleaned.name.plain, shown);
          assert.ok(match.kind === 'found', `${city}, ${shown}: ${match.kind}`);
          assert.deepEqual(
            [match.place.latitude, match.place.longitude],
            [latitude, longitude],
            `${city}, ${shown}`,
          );
        }
      }),
    );
  });
});
