import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadGazetteer } from '../../src/places/gazetteer.js';
import { bareRegion } from '../../src/places/region-words.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';
import { distancesFrom } from '../../src/places/distance.js';

const gazetteer = loadGazetteer(builtGazetteer());

function find(city: string, country: string): string {
  const match = gazetteer.findCity(city, country);
  if (match.kind !== 'found') return match.kind;
  return `${match.place.city}, ${match.place.country}`;
}

describe('a town with its region', () => {
  const same: [first: [city: string, country: string], ...others: [string, string][]][] = [
    [
      ['Portland, Maine', 'USA'],
      ['Portland, ME', 'US'],
      ['Portland ME', 'USA'],
      ['portland maine', 'USA'],
      ['Portland', 'Maine'],
    ],
    [
      ['Reading, Berkshire', 'UK'],
      ['Reading, England', 'UK'],
      ['Reading', 'Berkshire'],
    ],
    [
      ['München, Bayern', 'Deutschland'],
      ['Munich, Bavaria', 'Germany'],
      ['München Bayern', 'DE'],
      ['Munich', 'Freistaat Bayern'],
    ],
    [
      ['Железногорск, Курская область', 'Россия'],
      ['Железногорск, Курская обл.', 'Россия'],
      ['Курская область, Железногорск', 'Россия'],
      ['Курская область Железногорск', 'Россия'],
    ],
    [
      ['江苏省淮安市', '中国'],
      ['淮安', '中国'],
      ['淮安市, 江苏', '中国'],
      ["Huai'an, Jiangsu", 'China'],
    ],
    [
      ['北海道札幌市', '日本'],
      ['札幌', '日本'],
      ['Sapporo, Hokkaido', 'Japan'],
    ],
    [
      ['경기도 수원시', '대한민국'],
      ['Suwon, Gyeonggi-do', 'South Korea'],
    ],
  ];
  for (const [first, ...others] of same) {
    it(`${first.join(' in ')} is one place in each form`, () => {
      const expected = gazetteer.findCity(...first);
      assert.equal(expected.kind, 'found');
      for (const other of others)
        assert.deepEqual(gazetteer.findCity(...other), expected, other.join());
    });
  }

  it('is in that region or nowhere', () => {
    assert.equal(find('Paris Oregon', 'USA'), 'unknown_city');
    assert.equal(find('Paris, Oregon', 'USA'), 'unknown_city');
    // There is an Arlington near the city of Washington: what is named is the state.
    const match = gazetteer.findCity('Arlington, Washington', 'USA');
    assert.ok(match.kind !== 'found' || match.place.longitude < -116);
    assert.equal(find('Munich, Saxony', 'Germany'), 'unknown_city');
    assert.equal(find('Munich', 'Saxony'), 'unknown_city');
    assert.equal(find('Manchester', 'IN'), 'unknown_city');
  });

  it('has its region before an old name of another place that reads the same', () => {
    const match = gazetteer.findCity('Pueblo, Colorado', 'USA');
    assert.ok(match.kind === 'found' && match.place.city === 'Pueblo');
  });

  it('may be told by a city that it is beside', () => {
    const oakland = gazetteer.findCity('Oakland, San Francisco', 'USA');
    assert.ok(oakland.kind === 'found' && Math.abs(oakland.place.latitude - 37.8) < 0.1);
    assert.equal(find('Chicago, San Francisco', 'USA'), 'unknown_city');
  });

  it('is also found where ISO 3166 has it under another country', () => {
    assert.equal(find('Taipei', 'China'), 'Taipei, Taiwan');
    assert.equal(find('Ялта', 'Россия'), 'Yalta, Ukraine');
    assert.equal(find('Atlanta', 'Georgia'), 'Atlanta, United States');
    assert.equal(find('Kiev', 'Russia'), 'unknown_city');
  });
});

describe('the names of regions', () => {
  it('are also those that the last reform took away, for the towns that lay there', () => {
    assert.equal(find('Vũng Tàu, Bà Rịa - Vũng Tàu', 'Vietnam'), 'Vũng Tàu, Vietnam');
    assert.equal(find('Hanoi, Bình Định', 'Vietnam'), 'unknown_city');
  });

  it('are not those of the region that had their code before', () => {
    assert.equal(find('Rasht, Gilan', 'Iran'), 'Rasht, Iran');
    assert.equal(find('Rasht, Zanjan', 'Iran'), 'unknown_city');
    assert.equal(find('Huế, Bình Định', 'Vietnam'), 'unknown_city');
  });

  it('are also those of what ISO 3166-2 makes them a part of', () => {
    assert.equal(find('Puerto Plata, Cibao Norte', 'DO'), 'Puerto Plata, Dominican Republic');
    assert.equal(find('Barahona, Cibao Norte', 'DO'), 'unknown_city');
  });

  it('may be written in two parts', () => {
    assert.equal(find('Banja Luka, Srpska, Republika', 'BA'), 'Banja Luka, Bosnia and Herzegovina');
    assert.equal(find('Bihać, Srpska, Republika', 'BA'), 'unknown_city');
  });

  it('may be the name of a town that the place is beside, without a comma too', () => {
    assert.equal(find('Woolwich London', 'UK'), 'Woolwich, United Kingdom');
    assert.equal(find('Skopje Skopje', 'MK'), 'Skopje, North Macedonia');
    assert.equal(find('Woolwich Leeds', 'UK'), 'unknown_city');
  });
});

describe('a name with words that say what kind of place it is', () => {
  const pairs: [asked: string, plain: string, country: string][] = [
    ['г. Москва', 'Москва', 'Россия'],
    ['город Казань', 'Казань', 'Россия'],
    ['м. Київ', 'Київ', 'Україна'],
    ['Ciudad de Buenos Aires', 'Buenos Aires', 'Argentina'],
    ['City of Edinburgh', 'Edinburgh', 'UK'],
    ['Stadt Köln', 'Köln', 'Deutschland'],
    ['Sta. Marta', 'Santa Marta', 'Colombia'],
    ['Cd. Juárez', 'Ciudad Juárez', 'México'],
    ['S. Paulo', 'São Paulo', 'Brasil'],
    ['Frankfurt a. M.', 'Frankfurt am Main', 'Deutschland'],
    ['Bogotá, D.C.', 'Bogotá', 'Colombia'],
  ];
  for (const [asked, plain, country] of pairs) {
    it(`${asked} is ${plain}`, () => {
      const expected = gazetteer.findCity(plain, country);
      assert.equal(expected.kind, 'found');
      assert.deepEqual(gazetteer.findCity(asked, country), expected);
    });
  }

  it('of a region is that region', () => {
    for (const [name, bare] of [
      ['County Cork', 'Cork'],
      ['Московская обл.', 'Московская'],
      ['Республика Татарстан', 'Татарстан'],
      ['Skåne län', 'Skåne'],
      ['新疆维吾尔自治区', '新疆'],
      ['Adygeya, Respublika', 'Adygeya'],
      ['Bayern', 'Bayern'],
    ] as const) {
      assert.equal(bareRegion(name), bare);
    }
  });
});

describe('a small country or region that is asked for as a city', () => {
  it('is its main town', () => {
    assert.equal(find('Malta', 'Malta'), 'Valletta, Malta');
    assert.equal(find('Bali', 'Indonesia'), 'Denpasar, Indonesia');
    assert.equal(find('Corse', 'France'), 'Ajaccio, France');
    assert.equal(find('Malta', 'France'), 'unknown_city');
  });

  it('is also its main town if half of its people live near it, and it is an island', () => {
    assert.equal(find('Iceland', 'Iceland'), 'Reykjavík, Iceland');
    assert.equal(find('Tasmania', 'Australia'), 'Hobart, Australia');
    assert.equal(find('Hokkaido', 'Japan'), 'Sapporo, Japan');
  });

  it('is the main town of a district, where no place has the name', () => {
    assert.equal(find('Texel', 'Netherlands'), 'Den Burg, Netherlands');
    assert.equal(find('Kangaroo Island', 'Australia'), 'Kingscote, Australia');
  });

  it('is nothing when it is too large to have a weather', () => {
    assert.equal(find('Russia', 'Russia'), 'unknown_city');
    assert.equal(find('Bavaria', 'Germany'), 'unknown_city');
    assert.equal(find('Queensland', 'Australia'), 'unknown_city');
  });
});

describe('the name of a point', () => {
  it('leads back to a place near the point', () => {
    const points = [
      [43.66, -70.26],
      [39.8, -89.65],
      [43.1, -79.07],
      [33.37, -7.58],
      [-7.79, 110.43],
    ] as const;
    for (const [latitude, longitude] of points) {
      const place = gazetteer.nearest({ latitude, longitude });
      assert.ok(place);
      const match = gazetteer.findCity(place.city, place.country);
      assert.ok(match.kind === 'found', place.city);
      const km = distancesFrom({ latitude, longitude })(
        match.place.latitude,
        match.place.longitude,
      );
      assert.ok(km < 40, `${place.city}, ${place.country}: ${km} km`);
    }
    assert.equal(
      gazetteer.nearest({ latitude: 43.66, longitude: -70.26 })?.city,
      'Portland, Maine',
    );
    assert.equal(gazetteer.nearest({ latitude: 45.52, longitude: -122.68 })?.city, 'Portland');
  });
});
