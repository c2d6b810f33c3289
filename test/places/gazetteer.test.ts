import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CityMatch } from '../../src/weather/types.js';
import { find, gazetteer } from '../support/gazetteer.js';

type Unknown = Extract<CityMatch, { kind: 'unknown_city' }>;

function unknown(city: string, country: string): Unknown {
  const match = gazetteer.findCity(city, country);
  assert.equal(match.kind, 'unknown_city', `${city}, ${country}`);
  return match;
}

describe('finding a city', () => {
  it('returns its English name, its country and region, and its coordinates', () => {
    assert.deepEqual(gazetteer.findCity('Seattle', 'USA'), {
      kind: 'found',
      place: {
        city: 'Seattle',
        country: 'United States',
        countryCode: 'US',
        region: 'Washington',
        latitude: 47.60621,
        longitude: -122.33207,
        timeZone: 'America/Los_Angeles',
        elevation: 56,
      },
    });
  });

  it('accepts each spelling of a city and a country', () => {
    const same: [expected: string, ...queries: [city: string, country: string][]][] = [
      ['Munich, Germany', ['MÜNCHEN', 'Deutschland'], ['Muenchen', 'DEU']],
      ['Beijing, China', ['北京', '中国'], ['北京市', 'China']],
      ['Moscow, Russia', ['Москва', 'РФ'], ['Moskau', 'Russian Federation']],
      ['Istanbul, Türkiye', ['İstanbul', 'Türkiye'], ['ISTANBUL', 'Turkey']],
      ['Cairo, Egypt', ['القاهرة', 'مصر'], ['القاهره', 'Egypt']],
      ['Seoul, South Korea', ['서울', '대한민국'], ['서울'.normalize('NFD'), 'Korea']],
      ['Mumbai, India', ['मुंबई', 'भारत'], ['Bombay', 'India']],
      ['Astana, Kazakhstan', ['Nur-Sultan', 'Kazakhstan'], ['Astana', 'Қазақстан']],
      ['New York City, United States', ['New York', 'America'], ['NYC', 'U.S.A.']],
      ['St. Louis, United States', ['St Louis', 'US'], ['Saint Louis', 'USA']],
      ['The Hague, Netherlands', ['Den Haag', 'Holland'], ['The Hague', 'the Netherlands']],
      // The largest place of the name in a foreign script, too.
      ['Washington, United States', ['华盛顿', '美国'], ['واشنطن', 'US']],
      ['Frankfurt am Main, Germany', ['フランクフルト', 'ドイツ'], ['Frankfurt', 'DE']],
      ['New York City, United States', ['ニューヨーク シティ', '米国'], ['Нью-Йорк Сити', 'США']],
      ['Kamagaya, Japan', ['鎌ケ谷', '日本'], ['鎌ヶ谷市', 'JP'], ['千葉県鎌が谷市', 'Japan']],
      ['Chigasaki, Japan', ['茅ヶ崎', '日本'], ['茅ガ崎', 'JP'], ['茅ケ崎', 'Japan']],
      ['Tainan, Taiwan', ['臺南', '臺灣'], ['台南', '台灣']],
    ];
    for (const [expected, ...queries] of same) {
      for (const [city, country] of queries) assert.equal(find(city, country), expected, city);
    }
  });

  it('is limited to the country, and prefers the largest place', () => {
    const texan = gazetteer.findCity('Paris', 'USA');
    assert.ok(texan.kind === 'found' && Math.abs(texan.place.longitude + 95.55) < 0.1);
    assert.equal(find('St. Petersburg', 'Russia'), 'Saint Petersburg, Russia');
    assert.equal(find('San Jose', 'Costa Rica'), 'San José, Costa Rica');
    assert.equal(find('Munich', 'France'), 'unknown_city');
  });

  it('prefers a main name to another name, but a city with a part of its name to a village', () => {
    assert.equal(find('Rome', 'USA'), 'Rome, United States');
    assert.equal(find('New Delhi', 'India'), 'New Delhi, India');
    assert.equal(find('Querétaro', 'Mexico'), 'Santiago de Querétaro, Mexico');
    assert.equal(find('Pittsburg', 'USA'), 'Pittsburg, United States');
  });

  it('works in a territory by the name of the territory and of its country', () => {
    for (const country of ['Puerto Rico', 'USA', 'PR']) {
      assert.equal(find('San Juan', country), 'San Juan, Puerto Rico');
    }
    for (const country of ['Hong Kong', 'China', 'HKG']) {
      assert.equal(find('Hong Kong', country), 'Hong Kong, Hong Kong');
    }
    for (const country of ['Ceuta', 'Spain']) assert.equal(find('Ceuta', country), 'Ceuta, Spain');
    for (const country of ['Canary Islands', 'España']) {
      assert.equal(find('Las Palmas', country), 'Las Palmas de Gran Canaria, Spain');
    }
    assert.equal(find('Dallas', 'Puerto Rico'), 'unknown_city');
    // In Morocco itself, it is a district of Agadir.
    assert.equal(find('Dakhla', 'Maroc'), 'Dakhla, Western Sahara');
  });

  it('prefers a city of the country to a slightly larger city of a territory', () => {
    assert.equal(find('Saint-Denis', 'France'), 'Saint-Denis, France');
    assert.equal(find('Saint-Denis', 'Réunion'), 'Saint-Denis, Réunion');
  });

  it('distinguishes the countries of the United Kingdom', () => {
    assert.equal(find('London', 'England'), 'London, United Kingdom');
    assert.equal(find('London', 'Scotland'), 'unknown_city');
    assert.equal(find('Cardiff', 'Cymru'), 'Cardiff, United Kingdom');
    for (const england of ['Anglia', 'İngiltere', 'อังกฤษ', '英倫']) {
      assert.equal(find('Leeds', england), 'Leeds, United Kingdom');
    }
    assert.equal(find('Edinburgh', 'Szkocja'), 'Edinburgh, United Kingdom');
    assert.equal(find('Cardiff', 'England'), 'unknown_city');
    assert.equal(find('Belfast', 'Northern Ireland'), 'Belfast, United Kingdom');
  });

  it('searches in both countries that share a name', () => {
    assert.equal(find('Seoul', 'Korea'), 'Seoul, South Korea');
    assert.equal(find('Pyongyang', 'Korea'), 'Pyongyang, North Korea');
    assert.equal(find('Kinshasa', 'Congo'), 'Kinshasa, Democratic Republic of the Congo');
    assert.equal(find('Brazzaville', 'Congo'), 'Brazzaville, Republic of the Congo');
  });

  it('never ignores the region after a comma', () => {
    assert.deepEqual(
      gazetteer.findCity('Paris, Texas, USA', 'USA'),
      gazetteer.findCity('Paris', 'USA'),
    );
    assert.equal(find('London, ON', 'Canada'), 'London, Canada');
    assert.equal(find('London, England', 'UK'), 'London, United Kingdom');
    assert.equal(find('Paris, France', 'France'), 'Paris, France');
    assert.equal(find('Paris, Oregon', 'USA'), 'unknown_city');
    assert.equal(find('Paris, Nowhere', 'USA'), 'unknown_city');
    assert.equal(find('Paris, Texas', 'France'), 'unknown_city');
    assert.equal(find('Glasgow, Scotland', 'UK'), 'Glasgow, United Kingdom');
    assert.equal(find('Glasgow, Scotland', 'England'), 'unknown_city');
    assert.equal(find('Las Palmas, Canary Islands', 'Spain'), 'Las Palmas de Gran Canaria, Spain');
    assert.equal(find('Las Palmas, Canary Islands', 'Balearic Islands'), 'unknown_city');
    // A region's code, and a word that is not a region, do not precede a name.
    assert.equal(find('OR Portland', 'USA'), 'unknown_city');
    assert.equal(find('Stadt London', 'UK'), 'unknown_city');
    // The code of an airport.
    assert.equal(find('Lax City', 'USA'), 'unknown_city');
  });

  it('is the place that a remark in parentheses describes', () => {
    const placeOf = (city: string, country: string) => {
      const match = gazetteer.findCity(city, country);
      return match.kind === 'found' ? match.place : match.kind;
    };
    const same: [remarked: string, usual: string, country: string][] = [
      // A part of the name, as it is or shortened.
      ['Halle (Saale)', 'Halle an der Saale', 'Germany'],
      ['Halle (Westf.)', 'Halle, Nordrhein-Westfalen', 'Germany'],
      ['Frankfurt (Oder)', 'Frankfurt an der Oder', 'Germany'],
      ['Neustadt (Aisch)', 'Neustadt an der Aisch', 'Germany'],
      ['Stratford (Avon)', 'Stratford-upon-Avon', 'UK'],
      // A region, a country, a city that is near, another name.
      ['Paris (Texas)', 'Paris, Texas', 'USA'],
      ['Portland (ME)', 'Portland, Maine', 'USA'],
      ['Lyon (France)', 'Lyon', 'France'],
      ['Oakland (San Francisco)', 'Oakland, California', 'USA'],
      ['Mumbai (Bombay)', 'Mumbai', 'India'],
      ['Frankfurt (Oder), Brandenburg', 'Frankfurt an der Oder', 'Germany'],
    ];
    for (const [remarked, usual, country] of same) {
      assert.notEqual(typeof placeOf(usual, country), 'string', usual);
      assert.deepEqual(placeOf(remarked, country), placeOf(usual, country), remarked);
    }
    // Several places have the name, and none of them fits.
    for (const [city, country] of [
      ['Halle (Xyz)', 'Germany'],
      ['Portland (Mane)', 'USA'],
      ['Paris (Ontario)', 'USA'],
      ['Paris (Texas), Ohio', 'USA'],
    ] as const) {
      assert.equal(placeOf(city, country), 'unknown_city', city);
    }
    assert.equal(unknown('Sacramentoo (California)', 'USA').suggestions[0], 'Sacramento');
  });

  it('ignores "city" if the complete text is not a name', () => {
    assert.equal(find('Luxembourg City', 'Luxembourg'), 'Luxembourg, Luxembourg');
    assert.equal(find('Fukui', 'Japan'), 'Fukui, Japan');
    assert.equal(find('大阪市', '日本'), 'Osaka, Japan');
    assert.equal(find('Mexico City', 'Mexico'), 'Mexico City, Mexico');
    assert.equal(find('Oklahoma City', 'USA'), 'Oklahoma City, United States');
  });

  it('is memoized for keys of up to 100 characters, of which the country takes three here', () => {
    const [memoized, computed] = [97, 98].map((length) => {
      const find = () => gazetteer.findCity('x'.repeat(length), 'US');
      return find() === find();
    });
    assert.deepEqual([memoized, computed], [true, false]);
  });

  it('reports an unknown country, with similar names', () => {
    for (const country of ['Nowhere', 'XX', 'Atlantis', '...']) {
      assert.deepEqual(gazetteer.findCity('Paris', country), {
        kind: 'unknown_country',
        suggestions: [],
      });
    }
    for (const [text, ...suggestions] of [
      ['Norwya', 'Norway'],
      ['Austrlia', 'Australia', 'Austria'],
    ]) {
      const match = gazetteer.findCity('Oslo', text!);
      assert.deepEqual(match, { kind: 'unknown_country', suggestions });
    }
  });
});

describe('a city that is not in the data', () => {
  it('has one key for all spellings of city and country', () => {
    const spellings: [string, string][] = [
      ['Zyzzyville', 'USA'],
      ['ZYZZYVILLE', 'us'],
      ['Zyzzy-Ville', 'United States of America'],
      ['zýzzyville', 'U.S.'],
    ];
    const keys = spellings.map(([city, country]) => unknown(city, country).key);
    assert.deepEqual(new Set(keys), new Set(['zyzzyville:US']));
    assert.equal(unknown('Zyzzyville', 'USA').countryCode, 'US');
    assert.equal(unknown('Zyzzyville', 'Canada').key, 'zyzzyville:CA');
  });

  it('does not find a similar name, but up to three are suggested', () => {
    assert.deepEqual(unknown('Sacramentoo', 'USA').suggestions, ['Sacramento']);
    for (const text of ['Pariss', 'Apris']) {
      assert.equal(unknown(text, 'France').suggestions[0], 'Paris');
    }
    assert.deepEqual(unknown('San Josee', 'USA').suggestions, ['San Jose']);
    assert.equal(unknown('Sacramentoo, California', 'USA').suggestions[0], 'Sacramento');
    assert.equal(unknown('Marang', 'Philippines').suggestions.length, 3);
    // The beginning of a name is as likely as a spelling error.
    assert.equal(unknown('Ey', 'USA').suggestions[0], 'Eyota');
    assert.deepEqual(unknown('Xqzwvkjh', 'France').suggestions, []);
  });

  it('has the largest towns of the region or country that it names, also if it is misspelled', () => {
    const cases: [city: string, country: string, ...suggestions: string[]][] = [
      ['Georgia, US', 'US', 'Atlanta', 'Columbus, Georgia', 'Savannah'],
      ['Ontario', 'Canada', 'Toronto', 'Ottawa', 'Mississauga'],
      ['Россия', 'Russia', 'Moscow', 'Saint Petersburg', 'Novosibirsk'],
      ['Norwya', 'Norway', 'Oslo', 'Bergen', 'Trondheim'],
      ['Bavraia', 'Germany', 'Munich', 'Nuremberg', 'Augsburg'],
    ];
    for (const [city, country, ...suggestions] of cases) {
      assert.deepEqual(unknown(city, country).suggestions, suggestions, city);
      for (const each of suggestions) assert.equal(gazetteer.findCity(each, country).kind, 'found');
    }
  });

  it('has similar names up to a number of edits, a length, and a score', () => {
    const escondido = 'Puerto Escondido Tepeolulco Puerto Escondido';
    const cases: [city: string, country: string, ...suggestions: string[]][] = [
      // One edit in five letters, two in six to nine letters, three in ten letters or more.
      ['Xinig', 'China', 'Xining'],
      // Another Nagaoka has a tenth of its population.
      ['Nagaok', 'Japan', 'Nagaoka, Niigata', 'Nagaoka, Kyoto', 'Nagano'],
      ['Kearmnsha', 'Iran'],
      ['Hilingeoen', 'UK', 'Hillingdon'],
      // Up to 40 letters.
      ['Infiernillo Morelos de Infiernilloo', 'Mexico', 'Infiernillo Morelos de Infiernillo'],
      [escondido.replace('Te', 'eT'), 'Mexico', escondido],
      [`${escondido}o`, 'Mexico'],
      // The score of Maitland is just enough.
      ['Misland', 'USA', 'Midland, Texas', 'Midland City', 'Maitland'],
      ['Cesyhan', 'Turkey', 'Ceyhan', 'Keşan'],
      // A lookup accepts no digits: not Sector 1 to Sector 6.
      ['Sector o', 'Romania'],
    ];
    for (const [city, country, ...suggestions] of cases) {
      assert.deepEqual(unknown(city, country).suggestions, suggestions, city);
    }
  });

  it('has similar names only in its own country or part of a country', () => {
    assert.ok(!unknown('Londoon', 'Scotland').suggestions.includes('London'));
    assert.ok(unknown('Londoon', 'England').suggestions.includes('London'));
    assert.ok(!unknown('Munichh', 'France').suggestions.includes('Munich'));
  });
});
