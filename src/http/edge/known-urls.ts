import { createLru, textBytes } from '../../base/lru.js';
import type { AppMiddleware, Route } from '../context.js';
import type { KnownQuery } from '../answer.js';
import type { Handle } from './handle.js';

const MAX_LENGTH = 250;
/** Maximum size of all known URLs: enough for about 6,500 of current weather. */
const MAX_BYTES = 24_000_000;
/** Bytes of heap that a known URL takes besides its text and its body, measured by endpoint. */
const URL_BYTES = 3500;

interface KnownUrl {
  route: Route;
  query: KnownQuery;
}

/**
 * Creates the middleware before the router. It remembers the URLs of hits: their repetitions need
 * no routing, validation, or search. Routing alone would cost a tenth of a hit.
 */
export function createKnownUrls(handle: Handle): AppMiddleware {
  const urls = createLru<string, KnownUrl>(MAX_BYTES, {
    sizeCalculation: ({ query }, url) =>
      URL_BYTES + textBytes(url) + textBytes(String(query.answer.body)),
  });
  return async (ctx, next) => {
    const { state, method, req } = ctx;
    const { url = '' } = req;
    const isRead = method === 'GET' || method === 'HEAD';
    const known = isRead ? urls.get(url) : undefined;
    if (known) {
      await handle(ctx, known.route, known.query);
    } else {
      // Koa would parse the URL again, by a library that throws for some complete URLs.
      ctx['newRouterPath'] = state.target.path;
      await next();
    }
    const { route, answer, ignored } = state;
    const isBrief = url.length <= MAX_LENGTH && ignored === '';
    if (route && answer?.known && isRead && isBrief) urls.set(url, { route, query: answer.known });
  };
}
