import assert from 'node:assert/strict';
import { it } from 'node:test';
import { iconClasses, tintOf } from '../../../src/http/page/browser/place/sky.js';
import { conditionOf } from '../../../src/weather/conditions.js';

/** The layers of the icon and the tint of the page, by the WMO codes that have them. */
const LOOKS: [codes: number[], layers: string, tint: string][] = [
  [[0, 1], 'sun alone', 'clear-day'],
  [[2], 'sun cloud', 'cloud-day'],
  [[3], 'cloud', 'cloud-day'],
  [[45, 48], 'cloud fog', 'cloud-day'],
  [[51, 53, 55, 61, 63, 65], 'cloud rain', 'rain-day'],
  [[56, 57, 66, 67], 'cloud ice', 'rain-day'],
  [[71, 73, 75, 77], 'cloud snow', 'snow-day'],
  [[80, 81, 82], 'sun cloud rain', 'rain-day'],
  [[85, 86], 'sun cloud snow', 'snow-day'],
  [[95], 'cloud bolt', 'storm-day'],
  [[96, 99], 'cloud bolt ice', 'storm-day'],
];

it('every WMO weather code has an icon and a tint', () => {
  const listed = LOOKS.flatMap(([codes]) => codes);
  const all = Array.from({ length: 100 }, (_, code) => code);
  const known = all.filter((code) => conditionOf(code) !== 'Unknown');
  assert.deepEqual(
    listed.toSorted((a, b) => a - b),
    known,
  );
  for (const [codes, layers, tint] of LOOKS) {
    for (const code of codes) {
      assert.equal(iconClasses(code), `weather-icon ${layers}`, String(code));
      assert.equal(tintOf(code, true), tint, String(code));
    }
  }
});

it('the night has a moon and darker tints, and an unknown code has nothing', () => {
  assert.equal(iconClasses(0, false), 'weather-icon moon alone');
  assert.equal(tintOf(86, false), 'snow-night');
  for (const code of [null, 4, 100]) {
    assert.deepEqual([iconClasses(code), tintOf(code, true)], ['weather-icon', '']);
  }
});
