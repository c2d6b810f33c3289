import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { CURRENT_WEATHER } from '../../src/weather/current-weather.js';
import { DAILY_FORECAST } from '../../src/weather/daily-forecast.js';
import { keyOf, type AnyKind } from '../../src/weather/kind.js';
import { kinds } from '../support/kinds.js';
import { pointRequest } from '../../src/weather/point.js';

const DOMAIN = join(import.meta.dirname, '../../src/weather');

/** Every kind that a file of the domain exports. */
async function definedKinds(): Promise<AnyKind[]> {
  const files = readdirSync(DOMAIN).filter((file) => file.endsWith('.ts'));
  const modules = await Promise.all(
    files.map((file) => import(join(DOMAIN, file)) as Promise<object>),
  );
  const exported = modules.flatMap((module) => Object.values(module) as Partial<AnyKind>[]);
  return exported.filter((value) => value.isRequest && value.isValue) as AnyKind[];
}

it('every kind that is defined is registered in services.ts', async () => {
  const defined = await definedKinds();
  assert.ok(defined.includes(CURRENT_WEATHER));
  for (const kind of defined) {
    assert.equal(kinds.get(kind.name), kind, `the kind '${kind.name}' is not registered`);
  }
});

it('a key has the name of its kind, and the point with four decimals', () => {
  const request = pointRequest({ latitude: 59.91273, longitude: 180 });
  assert.equal(keyOf(CURRENT_WEATHER, request), 'weather:59.9127:-180.0000');
  assert.equal(keyOf(DAILY_FORECAST, request), 'forecast:59.9127:-180.0000');
});
