import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createApp } from '../../src/app.js';
import type { Route } from '../../src/http/context.js';
import { description3 } from '../../tools/openapi/index.js';
import { appParts } from '../support/app-parts.js';

/** The routes under `/api`, without those of health, which metrics do not expect. */
async function servedRoutes(): Promise<Record<string, readonly string[]>> {
  const parts = await appParts({ WEATHER_PROVIDERS: 'demo' });
  let routes: Route[] = [];
  const metrics = { expectRoutes: (all: Route[]) => (routes = all) };
  createApp({ ...parts, services: { ...parts.services, metrics: metrics as never } });
  const rows = routes.flatMap(({ method, paths, parameters = [] }) =>
    paths.map((path) => [`${method} ${path}`, parameters.toSorted()] as const),
  );
  return Object.fromEntries(rows.filter(([name]) => name.includes(' /api/')));
}

it('the API description has every route with every query parameter that it reads, and no other', async () => {
  const described = Object.entries(description3.paths)
    .filter(([path]) => !path.includes('health'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, { parameters = [] }]) => {
        const queried = parameters.filter((parameter) => parameter.in === 'query');
        return [`${method} ${path}`, queried.map(({ name }) => name).sort()] as const;
      }),
    );
  assert.deepEqual(await servedRoutes(), Object.fromEntries(described));
});
