import type { AppMiddleware } from '../context.js';
import { setHeaders } from '../set-headers.js';

/** Headers of every JSON response: it loads nothing, and no page may frame it. */
export const JSON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Browsers then use only TLS for a year. They ignore the header over plain HTTP. */
const TLS_HEADERS = { 'Strict-Transport-Security': 'max-age=31536000' };

/** Sets the security headers of every response. Pages replace the policy with their own. */
export function securityHeaders(): AppMiddleware {
  return (ctx, next) => {
    setHeaders(ctx, JSON_HEADERS);
    if (ctx.state.secure) setHeaders(ctx, TLS_HEADERS);
    return next();
  };
}
