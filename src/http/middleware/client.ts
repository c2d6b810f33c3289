import { clientIp, limiterIdentity } from './client-ip.js';
import type { AppMiddleware } from '../context.js';

/**
 * Who calls, as the trusted proxies tell: address and scheme are counted from the right, so that
 * what a client writes into the headers itself never reaches the place that counts.
 */
export function client(trustedProxies: number): AppMiddleware {
  return (ctx, next) => {
    ctx.state.ip = clientIp(
      ctx.req.socket.remoteAddress,
      ctx.get('X-Forwarded-For') || undefined,
      trustedProxies,
    );
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
