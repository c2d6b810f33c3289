import Koa from 'koa';
import { noInstruments } from '../../src/base/instruments.js';
import type { RequestState } from '../../src/http/context.js';
import { createEdge, type EdgeOptions } from '../../src/http/edge/edge.js';
import { createHandle } from '../../src/http/edge/handle.js';
import { createKnownUrls } from '../../src/http/edge/known-urls.js';
import { createRouter } from '../../src/http/edge/routing.js';
import type { Route } from '../../src/http/context.js';
import { systemClock } from './manual-clock.js';
import { recordingLog } from './records.js';

/** An app that serves these routes, without limits and sessions unless the options have them. */
export function appOf(
  routes: readonly Route[],
  options: Partial<EdgeOptions & Parameters<typeof createHandle>[0]> = {},
): Koa<RequestState> {
  const never = () => {
    throw new Error('This test has no limits and no sessions');
  };
  const { signal } = new AbortController();
  const all = {
    trustedProxies: 0,
    corsOrigins: [],
    countRequest: never,
    sessions: { open: never, close: never, renewId: never },
    log: recordingLog().log,
    clock: systemClock,
    instruments: noInstruments,
    timeoutMs: 10_000,
    closing: signal,
    ending: signal,
    ...options,
  };
  const handle = createHandle(all);
  const router = createRouter(routes, handle);
  const app = new Koa<RequestState>().use(createEdge(all)).use(createKnownUrls(handle));
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}
