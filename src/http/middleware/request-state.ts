import { randomUUID } from 'node:crypto';
import type { Logger } from '../../process/log.js';
import { readTraceId } from '../../weather/trace.js';
import type { Clock } from '../../weather/types.js';
import { clientIp, isSecure, limiterIdentity } from '../client-ip.js';
import type { AppMiddleware } from '../context.js';
import { parseTarget } from '../request-target.js';

const WELL_FORMED_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Sets the state of each request: target, ID, client, and scope. Sets `X-Request-ID`. If no proxy
 * is trusted, logs the first request that has passed a proxy.
 * @param options.isLate whether the request that has just begun waited too long
 * @param options.timeoutMs maximum duration of any request
 * @param options.signal aborts when the process ends
 */
export function requestState(options: {
  isLate: () => boolean;
  trustedProxies: number;
  log: Pick<Logger, 'warn'>;
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal;
}): AppMiddleware {
  const { isLate, trustedProxies, log, clock, timeoutMs, signal } = options;
  let isProxyLogged = trustedProxies > 0;

  function logProxy(ip: string): void {
    isProxyLogged = true;
    const hint =
      'if this is a proxy, its clients count as one: set TRUST_PROXY to the number of proxies';
    log.warn({ event: 'proxy_not_trusted', ip, hint });
  }

  return (ctx, next) => {
    const { req, state } = ctx;
    // The queue reports on the request that began last. After a middleware that waits, this is another request.
    state.isLate = isLate();
    state.target = parseTarget(req.url ?? '');
    const { path, query, isValid } = state.target;
    // The router parses the URL again, by a library that throws for some targets.
    req.url = isValid && path !== '*' ? `${path}?${query}` : '/*';

    const givenId = ctx.get('X-Request-ID');
    state.requestId = WELL_FORMED_ID.test(givenId) ? givenId : randomUUID();
    ctx.res.setHeader('X-Request-ID', state.requestId);

    const forwardedFor = ctx.get('X-Forwarded-For') || undefined;
    state.ip = clientIp(req.socket.remoteAddress, forwardedFor, trustedProxies);
    state.identity = limiterIdentity(state.ip);
    state.secure = isSecure(ctx.get('X-Forwarded-Proto'), trustedProxies);
    if (forwardedFor !== undefined && !isProxyLogged) logProxy(state.ip);

    state.scope = {
      signal,
      deadline: clock.monotonic() + timeoutMs,
      trace: { traceId: readTraceId(req.headers['traceparent']) },
    };
    return next();
  };
}
