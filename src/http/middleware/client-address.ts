import type { Logger } from '../../process/log.js';
import { clientIp, limiterIdentity } from '../client-ip.js';
import type { AppMiddleware } from '../context.js';

/**
 * Who calls, as the trusted proxies tell: address and scheme are counted from the right, so that
 * what a client writes into the headers itself never reaches the place that counts. Without a trusted
 * proxy, the first request with such a header is told: behind a proxy all clients count as one.
 */
export function client(trustedProxies: number, log: Pick<Logger, 'warn'>): AppMiddleware {
  let isTold = trustedProxies > 0;
  return (ctx, next) => {
    const forwardedFor = ctx.get('X-Forwarded-For') || undefined;
    ctx.state.ip = clientIp(ctx.req.socket.remoteAddress, forwardedFor, trustedProxies);
    if (forwardedFor !== undefined && !isTold) {
      isTold = true;
      const hint =
        'if this is a proxy, its clients count as one: set TRUST_PROXY to the number of proxies';
      log.warn({ event: 'proxy_not_trusted', ip: ctx.state.ip, hint });
    }
    ctx.state.identity = limiterIdentity(ctx.state.ip);
    ctx.state.secure = isSecure(ctx.get('X-Forwarded-Proto'), trustedProxies);
    return next();
  };
}

function isSecure(forwardedProto: string, trustedProxies: number): boolean {
  if (trustedProxies === 0 || forwardedProto === '') return false;
  const hops = forwardedProto.split(',');
  const counted = hops[Math.max(0, hops.length - trustedProxies)] ?? '';
  return counted.trim().toLowerCase() === 'https';
}
