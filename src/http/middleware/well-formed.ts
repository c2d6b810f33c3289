import type { IncomingMessage } from 'node:http';
import type { AppMiddleware } from '../context.js';
import { checkQuery } from '../request-target.js';
import { HttpError } from '../error-responses.js';

/** `uri-host [":" port]` (RFC 3986, 3.2.2): a name, an IPv4 address, or an IP literal in brackets. */
const HOST = /^(?:\[[\w.:~!$&'()*+,;=-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d{0,5})?$/i;

/**
 * Rejects (400) invalid requests that Node.js accepts: a target that is neither a path nor a URL,
 * and a request without exactly one valid `Host` (RFC 9112, 3.2; HTTP/1.0 needs none). Also rejects
 * a query that is too long.
 * @param isLimited whether rate limits count the requests for a path: `boundedQuery` then checks the query after them
 */
export function wellFormed(isLimited: (path: string) => boolean): AppMiddleware {
  return (ctx, next) => {
    const { target } = ctx.state;
    if (!target.isValid) {
      throw new HttpError(400, 'Bad request', 'The request target must be a path or a valid URL');
    }
    if (!isLimited(target.path)) checkQuery(target);
    if (!hasValidHost(ctx.req)) {
      throw new HttpError(400, 'Bad request', 'The request needs exactly one valid Host header', {
        Connection: 'close',
      });
    }
    return next();
  };
}

/** Rejects (400) a query that is too long, even if the endpoint has no parameters. */
export const boundedQuery: AppMiddleware = (ctx, next) => {
  checkQuery(ctx.state.target);
  return next();
};

/** Reads the raw headers, because the `headers` of Node.js have only the first of several `Host` lines. */
function hasValidHost({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === '1.0';
  let lines = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') lines += 1;
  }
  return lines === 1 && HOST.test(host);
}
