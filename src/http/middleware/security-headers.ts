import type { AppMiddleware } from '../context.js';
import { setHeaders } from '../set-headers.js';

/** On every JSON answer: nothing in it is ever a page, and no page may frame it. */
export const JSON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Over TLS browsers are told to stay there for a year. Over plain HTTP they must ignore it. */
const TLS_HEADERS = { 'Strict-Transport-Security': 'max-age=31536000' };

/** Headers for browsers on every answer. The documentation page has a policy of its own. */
export function securityHeaders(): AppMiddleware {
  return (ctx, next) => {
    setHeaders(ctx, JSON_HEADERS);
    if (ctx.state.secure) setHeaders(ctx, TLS_HEADERS);
    return next();
  };
}
