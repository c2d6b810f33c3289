import assert from 'node:assert/strict';
import { it } from 'node:test';
import { directionOf } from '../../../src/http/page/browser/place/facts.js';
import { namesOf } from '../../../src/http/page/browser/place/names.js';
import { pointIn } from '../../../src/http/page/browser/search/typed-point.js';
import { unitsOf } from '../../../src/http/page/browser/view/units.js';

/** How the page at `/` reads and writes numbers and names. */

it('a typed pair of numbers is a point, and nothing else is', () => {
  for (const [text, lat, lon] of [
    ['52.52, 13.405', '52.52', '13.405'],
    ['-33.9 151', '-33.9', '151'],
    ['−33.9;+151.', '-33.9', '+151.'],
    ['  .5 , -.5 ', '.5', '-.5'],
    ['33.87° S, 151.21° E', '-33.87', '151.21'],
    ['40.7n 74w', '40.7', '-74'],
    ['999, 999', '999', '999'],
  ] as const) {
    assert.deepEqual(pointIn(text), { lat, lon }, text);
  }
  for (const text of [
    '',
    '52.52',
    '52,',
    'Route 66',
    '1 2 3',
    '1..2, 3',
    '52.5E, 13N',
    'Oslo, 5',
  ]) {
    assert.equal(pointIn(text), undefined, text);
  }
});

it('a value has the decimals of its unit, a minus sign, and never a negative zero', () => {
  const metric = unitsOf('metric');
  const imperial = unitsOf('imperial');
  assert.deepEqual(
    [
      metric.temperature(-0.04),
      metric.degrees(-0.4),
      metric.degrees(-21.5),
      metric.temperature(44.44),
    ],
    ['0 °C', '0', '−22', '44.4 °C'],
  );
  assert.deepEqual(
    [metric.speed(0), metric.pressure(1013.25), metric.amount(0.44), metric.amountUnit],
    ['0 km/h', '1,013 hPa', '0.4', 'mm'],
  );
  assert.deepEqual([metric.distance(850), metric.distance(24_140)], ['0.9 km', '24 km']);
  assert.deepEqual(
    [
      imperial.temperature(-40),
      imperial.degrees(37),
      imperial.speed(100),
      imperial.pressure(1013.25),
    ],
    ['−40 °F', '99', '62.1 mph', '29.92 inHg'],
  );
  assert.deepEqual(
    [imperial.amount(25.4), imperial.amount(0.4), imperial.amountUnit, imperial.distance(1609.344)],
    ['1', '0.02', 'in', '1 mi'],
  );
});

it('a direction is where the wind comes from', () => {
  for (const [degrees, name] of [
    [0, 'north'],
    [22, 'north'],
    [23, 'northeast'],
    [180, 'south'],
    [270, 'west'],
    [337, 'northwest'],
    [338, 'north'],
    [360, 'north'],
  ] as const) {
    assert.equal(directionOf(degrees), name, String(degrees));
  }
});

it('a place has the name that the user typed, and the names that were found beside it', () => {
  const tokyo = { city: 'Tokyo', region: 'Tokyo', country: 'Japan', timezone: 'UTC' };
  const portland = { city: 'Portland', region: 'Maine', country: 'United States', timezone: 'UTC' };
  const oslo = { city: 'Oslo', region: 'Oslo', country: 'Norway', timezone: 'UTC' };
  // Only the geocoder knows this place.
  const unknown = { ...oslo, city: 'Ås Nordre', region: null };
  for (const [city, country, place, heading, details] of [
    ['東京', '日本', tokyo, '東京', 'Tokyo, Japan'],
    ['tokyo', 'JP', tokyo, 'Tokyo', 'Japan'],
    ['portland, maine', 'USA', portland, 'Portland', 'Maine, United States'],
    ['Stumptown', 'USA', portland, 'Stumptown', 'Portland, Maine, United States'],
    ['Oslo', 'NO', oslo, 'Oslo', 'Norway'],
    ['Ås Nordre', 'Norge', unknown, 'Ås Nordre', 'Norway'],
  ] as const) {
    const names = namesOf({ city, country }, { city, country }, place);
    assert.deepEqual(names, { heading, details });
  }
  const point = { lat: '35.7', lon: '139.7' };
  const found = { city: 'Shinjuku', country: 'Japan' };
  assert.deepEqual(namesOf(point, found, { ...tokyo, city: 'Shinjuku' }), {
    heading: 'Shinjuku',
    details: 'Tokyo, Japan, 35.7, 139.7',
  });
});
