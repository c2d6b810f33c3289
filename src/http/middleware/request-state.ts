import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '../../process/log.js';
import { readTraceId } from '../../weather/trace.js';
import type { Clock } from '../../weather/types.js';
import { clientIp, isSecure, limiterIdentity } from '../client-ip.js';
import type { AppMiddleware } from '../context.js';
import { parseTarget } from '../request-target.js';

const WELL_FORMED_ID = /^[A-Za-z0-9._-]{1,64}$/;
/**
 * Maximum length of a header that is parsed, in characters. Clients send at most a few hundred. Longer: a hostile header
 * takes more CPU time, because the parsers of libraries are slow, and some take quadratic time.
 */
const MAX_HEADER_LENGTH = 1000;
/**
 * Headers that are longer without a fault: the cookies of all services on a host, and the lists of proxies, which a
 * hostile client may begin. Their parsers take linear time.
 */
const LONG_HEADERS = new Set(['cookie', 'x-forwarded-for', 'x-forwarded-proto']);

/**
 * Sets the state of each request: target, ID, client, and scope. Sets `X-Request-ID`. Removes headers that are too long.
 * If no proxy is trusted, logs the first request that has passed a proxy.
 * @param options.timeoutMs maximum duration of any request
 * @param options.signal aborts when the process ends
 */
export function requestState(options: {
  trustedProxies: number;
  log: Pick<Logger, 'warn'>;
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal;
}): AppMiddleware {
  const { trustedProxies, log, clock, timeoutMs, signal } = options;
  let isProxyLogged = trustedProxies > 0;

  function logProxy(ip: string): void {
    isProxyLogged = true;
    const hint =
      'if this is a proxy, its clients count as one: set TRUST_PROXY to the number of proxies';
    log.warn({ event: 'proxy_not_trusted', ip, hint });
  }

  return (ctx, next) => {
    const { req, state } = ctx;
    dropLongHeaders(req.headers);
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

/** Removes the headers that are too long to be parsed. */
function dropLongHeaders(headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    const { length } = headers[name] ?? '';
    if (length > MAX_HEADER_LENGTH && !LONG_HEADERS.has(name))
      Reflect.deleteProperty(headers, name);
  }
}
