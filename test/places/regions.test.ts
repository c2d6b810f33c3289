import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bareRegion } from '../../src/places/names/region-names.js';
import { find, gazetteer } from '../support/gazetteer.js';

describe('a town with its region', () => {
  it('is found by each spelling of the region', () => {
    const same: [city: string, country: string][][] = [
      [
        ['Portland, Maine', 'USA'],
        ['Portland, ME', 'US'],
        ['Portland ME', 'USA'],
        ['portland maine', 'USA'],
        ['Portland', 'Maine'],
      ],
      [
        ['Munich, Bavaria', 'Germany'],
        ['München Bayern', 'DE'],
        ['Bayern München', 'DE'],
        ['Munich', 'Freistaat Bayern'],
      ],
      [
        ['Железногорск, Курская область', 'Россия'],
        ['Железногорск, Курская обл.', 'Россия'],
        ['Курская область Железногорск', 'Россия'],
      ],
      [
        ['江苏省淮安市', '中国'],
        ['淮安市, 江苏', '中国'],
        ["Huai'an, Jiangsu", 'China'],
      ],
    ];
    for (const [first, ...others] of same) {
      const expected = gazetteer.findCity(...first!);
      assert.equal(expected.kind, 'found');
      for (const other of others) {
        assert.deepEqual(gazetteer.findCity(...other), expected, other.join());
      }
    }
  });

  it('is found although the data has no region of it', () => {
    // The region of an airport, or of the nearest place.
    for (const [city, region, country] of [
      ['Kasabonika', 'Ontario', 'Canada'],
      ['Akulivik', 'Québec', 'Canada'],
      ['Birdsville', 'QLD', 'Australia'],
      ['Sabetta', 'Yamalo-Nenets', 'Russia'],
      ['Katzrin', 'Northern District', 'Israel'],
      ['Orashac', 'Kumanovo', 'North Macedonia'],
    ] as const) {
      const expected = gazetteer.findCity(city, country);
      assert.equal(expected.kind, 'found', city);
      assert.deepEqual(gazetteer.findCity(`${city}, ${region}`, country), expected, city);
      assert.deepEqual(gazetteer.findCity(`${city}, ${region}, ${country}`, country), expected);
      assert.deepEqual(gazetteer.findCity(city, region), expected, region);
    }
    assert.equal(find('Kasabonika, Manitoba', 'Canada'), 'unknown_city');
    assert.equal(find('Birdsville', 'Victoria'), 'unknown_city');
    const [kasabonika] = gazetteer.suggest('kasaboni', 1) ?? [];
    assert.equal(kasabonika?.region, 'Ontario');
    // That of the nearest place may be wrong, so it is not shown.
    const [katzrin] = gazetteer.suggest('katzri', 1, 'Israel') ?? [];
    assert.deepEqual([katzrin?.city, katzrin?.region], ['Katzrin', undefined]);
  });

  it('has its code in ordinary letters', () => {
    assert.equal(find('Los Angeles, CA', 'USA'), 'Los Angeles, United States');
    for (const city of ['Los Angeles, Cá', 'Los Angeles Cá', 'Los Angeles, СА']) {
      assert.equal(find(city, 'USA'), 'unknown_city', city);
    }
  });

  it('is not found outside of the region', () => {
    assert.equal(find('Paris Oregon', 'USA'), 'unknown_city');
    // There is an Arlington near the city of Washington, but the state counts.
    const match = gazetteer.findCity('Arlington, Washington', 'USA');
    assert.ok(match.kind !== 'found' || match.place.longitude < -116);
    assert.equal(find('Munich, Saxony', 'Germany'), 'unknown_city');
    assert.equal(find('Munich', 'Saxony'), 'unknown_city');
    assert.equal(find('Manchester', 'IN'), 'unknown_city');
  });

  it('is found by a nearby city instead of the region', () => {
    const oakland = gazetteer.findCity('Oakland, San Francisco', 'USA');
    assert.ok(oakland.kind === 'found' && Math.abs(oakland.place.latitude - 37.8) < 0.1);
    assert.equal(find('Chicago, San Francisco', 'USA'), 'unknown_city');
    // A little more than 50 km, and a place whose population is unknown.
    assert.equal(find('Mater, Brugge', 'Belgium'), 'unknown_city');
    assert.equal(find('Mnihla, Tunis', 'Tunisia'), 'Tunis, Tunisia');
  });

  it('is also found in a country to which ISO 3166 does not assign it', () => {
    assert.equal(find('Ялта', 'Россия'), 'Yalta, Ukraine');
    assert.equal(find('Kiev', 'Russia'), 'unknown_city');
    assert.equal(find('Lisburn', 'Ireland'), 'Lisburn, United Kingdom');
    assert.equal(find('Melilla', 'Morocco'), 'Melilla, Spain');
    assert.equal(find('Puerto Argentino', 'Argentina'), 'Stanley, Falkland Islands');
    assert.equal(find('Skardu', 'India'), 'Skardu, Pakistan');
    assert.equal(find('Majdal Shams', 'Israel'), 'Majdal Shams, Israel');
  });
});

describe('a district with its city', () => {
  it('is the city, or the district if the data has it', () => {
    for (const [place, country, ...texts] of [
      ['Osaka', '日本', '大阪市中央区', '大阪府大阪市中央区', '大阪市 住之江区', '中央区, 大阪市'],
      ['Osaka', 'Japan', 'Chuo-ku, Osaka', 'Naniwa Ward, Osaka'],
      ['Yokohama', '日本', '横浜市中区', '神奈川県横浜市保土ケ谷区'],
      ['Kitakyushu', '日本', '北九州市小倉北区'],
      ['Sagamihara', '日本', '相模原市緑区'],
      ['Tokyo', '日本', '東京都世田谷区'],
      ['Seoul', '대한민국', '서울특별시 강남구', '서울 강남구', '강남구, 서울'],
      ['Seongnam', '대한민국', '경기도 성남시 분당구', '성남시 수정구'],
      ['Kaohsiung', '台灣', '高雄市左營區'],
      ['Fengshan', '台灣', '高雄市鳳山區'],
      ['Shenzhen', '中国', '广东省深圳市福田区'],
      ['Qianjiang', '中国', '重庆市黔江区'],
    ] as const) {
      for (const text of texts) assert.equal(find(text, country).split(',')[0], place, text);
    }
  });

  it('is unknown if the city is, or is far from some of its districts', () => {
    assert.equal(find('大坂市中央区', '日本'), 'unknown_city');
    assert.equal(find('重庆市开州区', '中国'), 'unknown_city');
    assert.equal(find('中央区', '日本'), 'Chūō, Japan');
    assert.equal(find('Cook District, Chicago', 'USA'), 'unknown_city');
  });
});

describe('the names of regions', () => {
  it('include regions that the last reform abolished, for the towns that were in them', () => {
    assert.equal(find('Vũng Tàu, Bà Rịa - Vũng Tàu', 'Vietnam'), 'Vũng Tàu, Vietnam');
    assert.equal(find('Hanoi, Bình Định', 'Vietnam'), 'unknown_city');
  });

  it('do not include the name of a region that had the code before', () => {
    assert.equal(find('Rasht, Gilan', 'Iran'), 'Rasht, Iran');
    assert.equal(find('Rasht, Zanjan', 'Iran'), 'unknown_city');
    assert.equal(find('Huế, Bình Định', 'Vietnam'), 'unknown_city');
  });

  it('include the names of their parent divisions in ISO 3166-2', () => {
    assert.equal(find('Puerto Plata, Cibao Norte', 'DO'), 'Puerto Plata, Dominican Republic');
    assert.equal(find('Barahona, Cibao Norte', 'DO'), 'unknown_city');
  });

  it('can be written in two parts', () => {
    assert.equal(find('Banja Luka, Srpska, Republika', 'BA'), 'Banja Luka, Bosnia and Herzegovina');
    assert.equal(find('Bihać, Srpska, Republika', 'BA'), 'unknown_city');
  });

  it('can be a code of any country, or the country, without a comma', () => {
    assert.equal(find('Slobozia IL', 'Romania'), 'Slobozia, Romania');
    assert.equal(find('Pakse CH', 'Laos'), 'Pakse, Laos');
    assert.equal(find('London UK', 'UK'), 'London, United Kingdom');
    assert.equal(find('Slobozia CJ', 'Romania'), 'unknown_city');
  });
});

describe('the name of a region', () => {
  it('is shortened by removing the word for its kind', () => {
    for (const [name, bare] of [
      ['County Cork', 'Cork'],
      ['Московская обл.', 'Московская'],
      ['Республика Татарстан', 'Татарстан'],
      ['Skåne län', 'Skåne'],
      ['新疆维吾尔自治区', '新疆'],
      ['경기도', '경기'],
      ['강원특별자치도', '강원'],
      ['Adygeya, Respublika', 'Adygeya'],
      ['Bayern', 'Bayern'],
    ] as const) {
      assert.equal(bareRegion(name), bare);
    }
  });
});

describe('a country or region instead of a city', () => {
  it('means its main town if it is small, or an island whose people live near the town', () => {
    assert.equal(find('Malta', 'Malta'), 'Valletta, Malta');
    assert.equal(find('Malta', 'France'), 'unknown_city');
  });

  it('means the largest town if that is named after the country', () => {
    for (const [city, country, found] of [
      ['Mexico', 'MX', 'Mexico City, Mexico'],
      ['México', 'México', 'Mexico City, Mexico'],
      ['Mexiko', 'Mexico', 'Mexico City, Mexico'],
      ['Guatemala', 'GT', 'Guatemala City, Guatemala'],
      ['Panamá', 'Panama', 'Panama City, Panama'],
      ['Kuwait', 'Kuwait', 'Kuwait City, Kuwait'],
      ['Luxemburg', 'LU', 'Luxembourg, Luxembourg'],
      ['Djibouti', 'DJ', 'Djibouti, Djibouti'],
    ] as const) {
      assert.equal(find(city, country), found, city);
    }
  });

  it('is unknown if it is large', () => {
    assert.equal(find('Russia', 'Russia'), 'unknown_city');
    assert.equal(find('Bavaria', 'Germany'), 'unknown_city');
    assert.equal(find('Queensland', 'Australia'), 'unknown_city');
  });
});
