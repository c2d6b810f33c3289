import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gazetteer } from '../support/gazetteer.js';

describe('naming a point', () => {
  const nearest = (latitude: number, longitude: number): string => {
    const place = gazetteer.nearest({ latitude, longitude });
    return place ? `${place.uniqueName}, ${place.country}` : 'nothing';
  };

  const points: [expected: string, latitude: number, longitude: number, what: string][] = [
    ['London, United Kingdom', 51.5074, -0.1278, 'the middle of London, not a borough'],
    ['Jersey City, United States', 40.728, -74.078, 'a city beside a larger one, in another state'],
    ['Hong Kong, Hong Kong', 22.3, 114.17, 'a city that is a whole country, over its districts'],
    ['Vatican City, Vatican City', 41.9029, 12.4534, 'a country inside a city'],
    ['Simferopol, Ukraine', 44.95, 34.1, 'a region under dispute'],
    ['Nicosia, Cyprus', 35.19, 33.36, 'north of a line'],
    ['Laayoune, Western Sahara', 27.15, -13.2, 'a territory under dispute'],
    ['Taveuni, Fiji', -16.8, 180, 'the antimeridian from the west'],
    ['Taveuni, Fiji', -16.85, 179.95, 'a city on the other side of the antimeridian'],
    ['Egvekinot, Russia', 66.32, 179.9, 'a city beyond the antimeridian in the east'],
    ['Trachóni, Cyprus', 34.59, 32.95, 'a base on foreign ground'],
    ['nothing', 18.4, -75.01, 'an island without a town, near others that have some'],
    ['nothing', 30, -40, 'the open sea'],
    ['nothing', 90, 0, 'the North Pole'],
    ['nothing', -90, -180, 'the South Pole on the antimeridian'],
    ['nothing', -77.85, 166.67, 'Antarctica'],
    ['Longyearbyen, Svalbard and Jan Mayen', 78.9, 17, 'the far north'],
    ['Yulara, Australia', -25, 127, 'an uninhabited area'],
    ['Dayr al ’Aşāfīr, Syria', 33.44, 36.39, 'a name with a sign of transliteration'],
    ['Portland, Maine, United States', 43.66, -70.26, 'a town whose name means a larger one'],
    ['Egg, Germany', 48.06, 10.27, 'beside a town whose name means one more than 30 km away'],
    ['Bethesda, United States', 39.01, -77.13, 'between two towns, nearer to the edge of one'],
    ['Kursk, Russia', 51.73, 36.19, 'north of a region under dispute'],
    ['Anapa, Russia', 44.89, 37.32, 'east of a region under dispute'],
    ['Tarfaya, Morocco', 27.94, -12.93, 'north of a territory under dispute'],
    ['Qaanaaq, Greenland', 81.5, -60, 'within 1,000 km of a town and of the pole'],
    ['nothing', -18.74, 105.15, 'a little more than 1,000 km from Australia'],
    ['nothing', 36.33, 144.18, 'a little more than 300 km from Japan'],
    ['Old Road, Antigua and Barbuda', 16.92, -61.98, 'less than 20 km from an island'],
    ['nothing', 41.75, 19.15, 'a little more than 20 km from a town on the coast'],
  ];
  for (const [expected, latitude, longitude, what] of points) {
    it(`${what} (${latitude}, ${longitude}) is ${expected}`, () => {
      assert.equal(nearest(latitude, longitude), expected);
    });
  }
});

describe('the height', () => {
  const heightOf = (city: string, country: string): number | undefined => {
    const match = gazetteer.findCity(city, country);
    assert.ok(match.kind === 'found', city);
    return match.place.elevation;
  };

  it('of a place is that of its center', () => {
    const heights: [city: string, country: string, meters: number][] = [
      ['La Paz', 'Bolivia', 3782],
      ['Zermatt', 'CH', 1610],
      ['Denver', 'US', 1636],
      ['Baku', 'AZ', -23],
      // The sources have its center in different positions.
      ['Guadalajara', 'MX', 1598],
    ];
    for (const [city, country, meters] of heights) {
      assert.equal(heightOf(city, country), meters, city);
    }
  });

  it('of a point is that of a place within 3 km, and unknown on a mountain', () => {
    const heightAt = (latitude: number, longitude: number) =>
      gazetteer.nearest({ latitude, longitude })?.elevation;
    assert.equal(heightAt(47.4917, 11.0955), heightOf('Garmisch-Partenkirchen', 'DE'));
    const { latitude, longitude } = gazetteer.nearest({ latitude: 46.02, longitude: 7.75 })!;
    assert.equal(heightAt(latitude + 0.026, longitude), 1610);
    assert.equal(heightAt(latitude - 0.028, longitude), undefined);
    assert.equal(heightAt(47.4211, 10.9853), undefined);
  });
});
