import assert from 'node:assert/strict';
import { it } from 'node:test';
import { iconClasses } from '../../../src/http/page/browser/place/weather-icon.js';
import { conditionOf, UNKNOWN_CONDITION } from '../../../src/weather/conditions.js';

/** The layers of the icon, by the WMO codes that have them. */
const LAYERS: [codes: number[], layers: string][] = [
  [[0, 1], 'sun alone'],
  [[2], 'sun cloud'],
  [[3], 'cloud'],
  [[45, 48], 'cloud fog'],
  [[51, 53, 55, 61, 63, 65], 'cloud rain'],
  [[56, 57, 66, 67], 'cloud ice'],
  [[71, 73, 75, 77], 'cloud snow'],
  [[80, 81, 82], 'sun cloud rain'],
  [[85, 86], 'sun cloud snow'],
  [[95], 'cloud bolt'],
  [[96, 99], 'cloud bolt ice'],
];

it('the icon has layers for every WMO weather code', () => {
  const listed = LAYERS.flatMap(([codes]) => codes);
  const all = Array.from({ length: 100 }, (_, code) => code);
  const known = all.filter((code) => conditionOf(code) !== UNKNOWN_CONDITION);
  assert.deepEqual(
    listed.toSorted((a, b) => a - b),
    known,
  );
  for (const [codes, layers] of LAYERS) {
    for (const code of codes) {
      assert.equal(iconClasses(conditionOf(code)), `weather-icon ${layers}`, conditionOf(code));
    }
  }
});

it('the icon shows the moon at night, and nothing for an unknown condition', () => {
  assert.equal(iconClasses('Clear sky', false), 'weather-icon moon alone');
  assert.equal(iconClasses(UNKNOWN_CONDITION), 'weather-icon');
});
