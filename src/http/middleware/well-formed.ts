import type { IncomingMessage } from 'node:http';
import type { AppMiddleware } from '../context.js';
import { HttpError } from './errors.js';

/** `uri-host [":" port]` (RFC 3986, 3.2.2): a name, an IPv4 address, or an IP literal in brackets. */
const HOST = /^(?:\[[\w.:~!$&'()*+,;=-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d{0,5})?$/i;

/** Enough for two names of 100 characters each. Doubled: a hostile query takes four times as long to read. */
const MAX_QUERY_BYTES = 2048;
/** No path has more than three parameters. */
const MAX_PARAMETERS = 50;
const BOUNDS = `The query must not exceed ${MAX_QUERY_BYTES / 1024} KiB and ${MAX_PARAMETERS} parameters`;

/**
 * Refuses what Node lets pass although HTTP does not: a request without exactly one valid `Host`
 * (RFC 9112, 3.2; HTTP/1.0 needs none). Also a query that would take long to read.
 */
export function wellFormed(): AppMiddleware {
  return (ctx, next) => {
    if (!hasValidHost(ctx.req)) {
      throw new HttpError(400, 'Bad request', 'The request needs exactly one valid Host header', {
        Connection: 'close',
      });
    }
    if (!isBounded(ctx.req.url ?? '')) {
      throw new HttpError(400, 'Bad request', BOUNDS);
    }
    return next();
  };
}

/** Whether the query may be read: Koa's reader takes a time that is quadratic in the number of names. */
function isBounded(target: string): boolean {
  const mark = target.indexOf('?');
  if (mark < 0) return true;
  if (target.length - mark > MAX_QUERY_BYTES) return false;
  return target.split('&', MAX_PARAMETERS + 1).length <= MAX_PARAMETERS;
}

/** Node's `headers` keep the first of several lines and drop the others. */
function hasValidHost({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === '1.0';
  let lines = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') lines += 1;
  }
  return lines === 1 && HOST.test(host);
}
