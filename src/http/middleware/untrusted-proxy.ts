import { BlockList, isIPv6 } from 'node:net';
import type { Logger } from '../../process/log.js';
import type { AppMiddleware } from '../context.js';

/** One request may be anybody's try. Doubled: the hint comes after twenty. */
const REQUESTS_BEFORE_HINT = 10;

/** Where proxies of one's own are: loopback, private and link-local networks (RFC 6890). */
const NEAR = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  NEAR.addSubnet(network, bits, 'ipv4');
}
NEAR.addAddress('::1', 'ipv6');
NEAR.addSubnet('fc00::', 7, 'ipv6');
NEAR.addSubnet('fe80::', 10, 'ipv6');

/**
 * Warns once when a proxy seems to be in front although `TRUST_PROXY` is 0: its clients then count as
 * one and share a limit. Only a near address is taken for a proxy: any client may send the header.
 */
export function untrustedProxy(log: Logger): AppMiddleware {
  let count = 0;
  return (ctx, next) => {
    const { ip } = ctx.state;
    if (count < REQUESTS_BEFORE_HINT && ctx.get('X-Forwarded-For') !== '' && isNear(ip)) {
      count += 1;
      if (count === REQUESTS_BEFORE_HINT) {
        const hint =
          'clients behind a proxy count as one: set TRUST_PROXY to the number of proxies';
        log.warn({ event: 'proxy_not_trusted', ip, hint });
      }
    }
    return next();
  };
}

/** @param ip in its one spelling, or the word for none */
function isNear(ip: string): boolean {
  return NEAR.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
}
