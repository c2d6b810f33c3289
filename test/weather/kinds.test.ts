import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { CURRENT_WEATHER } from '../../src/weather/current-weather.js';
import { DAILY_FORECAST } from '../../src/weather/daily-forecast.js';
import { keyOf } from '../../src/weather/kind.js';
import { kinds } from '../support/kinds.js';
import { pointRequest } from '../../src/weather/point.js';

const DOMAIN = join(import.meta.dirname, '../../src/weather');

it('every kind that is defined is registered in services.ts', () => {
  const texts = readdirSync(DOMAIN).map((file) => readFileSync(join(DOMAIN, file), 'utf8'));
  const definition = /^export const \w+: Kind<.+> = \{\n {2}name: '([\w-]+)'/gm;
  const defined = texts.flatMap((text) => [...text.matchAll(definition)].map(([, name]) => name));
  assert.deepEqual(defined.sort(), [...kinds.keys()].sort());
});

it('a key has the name of its kind, and the point with four decimals', () => {
  const request = pointRequest({ latitude: 59.91273, longitude: 180 });
  assert.equal(keyOf(CURRENT_WEATHER, request), 'weather:59.9127:-180.0000');
  assert.equal(keyOf(DAILY_FORECAST, request), 'forecast:59.9127:-180.0000');
});
