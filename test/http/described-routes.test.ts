import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createApp } from '../../src/app.js';
import { noInstruments } from '../../src/base/instruments.js';
import type { Route } from '../../src/http/context.js';
import { description3 } from '../../tools/openapi/index.js';
import { appParts } from '../support/app-parts.js';
import { suiteLifetime } from '../support/lifetime.js';
import { listenLocally } from '../support/listen-locally.js';

/** Compares the API description with the routes and the parameters that they read, in this process. */

const operations = Object.entries(description3.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { parameters = [] }]) => ({
    path,
    method,
    queried: parameters.filter((parameter) => parameter.in === 'query'),
  })),
);

describe('the API description', () => {
  const lifetime = suiteLifetime();
  /** `GET /path`, as the routes are registered. Health checks are not counted by metrics. */
  let served: string[] = [];
  /** The names of query parameters that were read. */
  let read = new Set<string>();
  let url: string;

  /** Makes a route report which parameters it reads. */
  function reportReads(route: Route): void {
    const { answer } = route;
    route.answer = (ctx, parameters) => {
      const get = (target: typeof parameters, name: string) => {
        read.add(name);
        return target[name];
      };
      return answer(ctx, new Proxy(parameters, { get: get as never }));
    };
  }

  before(async () => {
    const parts = await appParts({ WEATHER_PROVIDERS: 'demo', RATE_LIMIT_TOTAL: '0' });
    const metrics = {
      ...{ instruments: noInstruments, watch: () => undefined, serve: () => undefined },
      expectRoutes(routes: Route[]) {
        for (const route of routes) reportReads(route);
        served = routes.flatMap(({ method, paths }) =>
          paths.map((path) => `${method.toUpperCase()} ${path}`),
        );
      },
    };
    const app = createApp({
      ...{ ...parts, isLate: () => false },
      services: { ...parts.services, metrics: metrics as never },
    });
    url = await listenLocally(lifetime, app.callback());
  });

  it('has every route, and no other', () => {
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const compared = (all: string[]) =>
      [...new Set(all)].filter((each) => / \/api\/(?!.*health)/.test(each)).sort();
    assert.deepEqual(compared(served), compared(described));
  });

  for (const { path, method, queried } of operations) {
    if (method !== 'get') continue;
    it(`has every query parameter that ${path} reads, and no other`, async () => {
      const query = new URLSearchParams(
        queried.map((each): [string, string] => [each.name, String(each.example)]),
      );
      // Places are memoized by the whole query.
      query.set('unknown', path);
      read = new Set();
      const response = await fetch(`${url}${path}?${query.toString()}`);
      assert.equal(response.status, 200, await response.text());
      assert.deepEqual([...read].sort(), queried.map(({ name }) => name).sort());
    });
  }
});
