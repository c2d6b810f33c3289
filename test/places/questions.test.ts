import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PlaceNotFoundError } from '../../src/weather/errors.js';
import { loadPlaceData } from '../../src/places/place-data.js';
import { cleanName } from '../../src/text/place-names.js';
import { createLocator } from '../../src/weather/location.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';
import { measureCities, measureCodes } from '../../tools/places/queries/areas-and-codes.js';
import { find, gazetteer } from '../support/gazetteer.js';

const data = loadPlaceData(builtGazetteer());

/** Returns the sentence and the linked places of the error for a location. */
async function questionAbout(city: string, country: string) {
  const locator = createLocator({ gazetteer, lookup: undefined, timeZoneAt: () => 'UTC' });
  const [name, area] = [city, country].map((text) => {
    const cleaned = cleanName(text);
    assert.ok(cleaned.ok, text);
    return cleaned.name;
  });
  try {
    await locator.byCity(name!, area!, { signal: AbortSignal.abort() } as never);
  } catch (error) {
    assert.ok(error instanceof PlaceNotFoundError);
    return { message: error.message, places: error.similar };
  }
  assert.fail(`${city}, ${country} was found`);
}

describe('the name of a first-level region in place of a city', () => {
  it('finds no place in another region, except a town of exactly this name that is as well known', () => {
    for (const { wrong, total } of measureCities(gazetteer, data)) {
      assert.ok(total > 400);
      assert.deepEqual(wrong, []);
    }
  });

  it('leads to the largest towns of the region', async () => {
    for (const [region, country, towns] of [
      ['Kansas', 'USA', 'Wichita, Overland Park, or Olathe'],
      ['Hebei', 'China', 'Shijiazhuang, Tangshan, or Baoding'],
      ['Texas', 'US', 'Houston, San Antonio, or Dallas'],
      // The members of a list that have commas are separated by semicolons.
      ['Georgia', 'USA', 'Atlanta; Columbus, Georgia; or Savannah'],
      // Towns of these names are in Michigan and in Ohio.
      ['Wyoming', 'USA', 'Cheyenne, Casper, or Gillette'],
      ['Oregon', 'United States', 'Portland, Oregon; Salem, Oregon; or Eugene'],
      ['Idaho, USA', 'USA', 'Boise; Meridian, Idaho; or Nampa'],
      // A code, a word for the kind of region, and a landscape of several regions.
      ['BY', 'Germany', 'Munich, Nuremberg, or Augsburg'],
      ['New York State', 'USA', 'New York City, Brooklyn, or Manhattan'],
      ['Java', 'Indonesia', 'Jakarta, Surabaya, or Semarang'],
    ] as const) {
      const { message, places } = await questionAbout(region, country);
      assert.ok(message.endsWith(`Did you mean ${towns}?`), message);
      assert.equal(places.length, 3);
    }
  });

  it('is the town of this name, or the metropolis', () => {
    for (const [city, country, found] of [
      ['Washington', 'USA', 'Washington, United States'],
      ['Quebec', 'Canada', 'Québec, Canada'],
      ['Leningrad', 'Russia', 'Saint Petersburg, Russia'],
      ['华盛顿', '美国', 'Washington, United States'],
      ['Madeira', 'Portugal', 'Funchal, Portugal'],
      ['Delaware', 'USA', 'Wilmington, United States'],
      ['Mahajanga', 'Madagascar', 'Mahajanga, Madagascar'],
      // Villages have these names in the country that the territory or region is counted to.
      ['La Réunion', 'France', 'Saint-Denis, Réunion'],
      ['Крым', 'Россия', 'Simferopol, Ukraine'],
      ['Florida', 'Puerto Rico', 'Florida, Puerto Rico'],
      // A village in Italy has the name, too.
      ['San Marino', 'Italy', 'San Marino, San Marino'],
      // A region of Ukraine, and a town in the region of Rostov.
      ['Donetsk', 'Russia', 'Donetsk, Russia'],
    ] as const) {
      assert.equal(find(city, country), found, city);
    }
  });
});

describe('the name of another country in place of a city', () => {
  it('leads to the towns of that country, unless a place has a similar name', async () => {
    for (const [city, country, place] of [
      ['Vatican', 'Italy', 'Vatican City, Vatican City'],
      ['Macedonia', 'Greece', 'Skopje, North Macedonia'],
      ['Toko', 'Japan', 'Tokyo, Japan'],
      // These are the English names of countries, although places have similar names.
      ['Macau', 'Portugal', 'Macau, Macau'],
      ['Taiwan', 'Japan', 'Taipei, Taiwan'],
    ] as const) {
      const { places } = await questionAbout(city, country);
      assert.equal(`${places[0]?.city}, ${places[0]?.country}`, place, city);
    }
  });
});

describe('a code in place of a country', () => {
  it('is the region of the code, and never a foreign abbreviation of a country', () => {
    for (const { what, wrong } of measureCodes(gazetteer, data)) {
      assert.deepEqual(wrong, [], what);
    }
    for (const [city, code, country] of [
      ['Brandon', 'MB', 'Canada'],
      ['Rio de Janeiro', 'RJ', 'Brazil'],
      ['Sion', 'VS', 'Switzerland'],
      ['Köln', 'NW', 'Germany'],
      ['Miami', 'EUA', 'United States'],
      ['Dubai', 'UAE', 'United Arab Emirates'],
      // Codes of sports, and reviewed abbreviations in other languages that are no codes.
      ['Köln', 'GER', 'Germany'],
      ['Genève', 'SUI', 'Switzerland'],
      ['Brno', 'ČR', 'Czechia'],
    ] as const) {
      assert.ok(find(city, code).endsWith(country), `${city}, ${code}: ${find(city, code)}`);
    }
    for (const code of ['EU', 'ÉU', 'Eu']) assert.equal(find('Berlin', code), 'unknown_country');
  });

  it('leads to the town if the code is that of its region, too', async () => {
    for (const [city, code, region, linked, country] of [
      ['Los Angeles', 'CA', 'California', 'Los Angeles', 'United States'],
      ['Portland', 'ME', 'Maine', 'Portland, Maine', 'United States'],
      ['Genf', 'GE', 'Geneva', 'Geneva', 'Switzerland'],
      ['Salvador', 'BA', 'Bahia', 'Salvador', 'Brazil'],
      ['Mumbai', 'MH', 'Maharashtra', 'Mumbai', 'India'],
    ] as const) {
      const { message, places } = await questionAbout(city, code);
      assert.match(
        message,
        new RegExp(`'${code}' is the code of a country here, and not of ${region}`),
      );
      assert.ok(message.endsWith(`Did you mean ${linked}, ${country}?`), message);
      assert.deepEqual(places, [{ city: linked, country }]);
      assert.equal(gazetteer.findCity(linked, country).kind, 'found');
    }
  });

  it('of an airport is not a name, and gets a sentence', async () => {
    for (const [code, country] of [
      ['MUC', 'Germany'],
      ['LAX', 'USA'],
      ['LHR', 'UK'],
      ['EDDM', 'Germany'],
    ] as const) {
      const { message } = await questionAbout(code, country);
      assert.match(
        message,
        new RegExp(`Send it as code=${code}: in the API to …/airport, .* /\\?airport=${code}\\.$`),
      );
    }
    assert.equal(find('NYC', 'USA'), 'New York City, United States');
  });

  it('is no code of an airport if no airport has it', async () => {
    for (const text of ['XQZ', 'ZZQX', 'qqx']) {
      const { message } = await questionAbout(text, 'Germany');
      assert.equal(message, `No place called '${text}' was found in 'Germany'.`);
    }
  });
});

describe('a tiny place with the name of a town that people count to the country', () => {
  it('is a question with both', async () => {
    const { message, places } = await questionAbout('Derry', 'Ireland');
    assert.equal(
      message,
      "'Derry' in 'Ireland' can mean several places. Did you mean Derry, United Kingdom; or Derry, Munster, Ireland?",
    );
    for (const { city, country } of places) assert.ok(find(city, country).endsWith(country));
    assert.equal(find('Belfast', 'Ireland'), 'Belfast, United Kingdom');
    assert.equal(find('Cork', 'Ireland'), 'Cork, Ireland');
  });
});
