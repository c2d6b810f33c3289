import { isIP, isIPv4, SocketAddress } from 'node:net';

/** Stands for a client whose connection was gone before its address could be read. */
const UNKNOWN = 'unknown';

const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/;
const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const IPV6_IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/;

/** The one spelling of an address, or `undefined` when the text is none. */
function normalise(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const bare =
    IPV4_WITH_PORT.exec(text)?.[1] ??
    // The usual form where the server listens on `::`. The general way below is much slower.
    IPV4_MAPPED.exec(text)?.[1] ??
    IPV6_IN_BRACKETS.exec(text)?.[1] ??
    text;
  const version = isIP(bare);
  if (version !== 6) return version === 4 ? bare : undefined;
  // This drops a zone as well: it names an interface of the machine that saw it, not the client.
  const { address: canonical } = new SocketAddress({ address: bare, family: 'ipv6' });
  const mapped = canonical.replace(/^::ffff:/, '');
  return isIPv4(mapped) ? mapped : canonical;
}

/**
 * The client's address in one canonical spelling, for the log and for `limiterIdentity`.
 *
 * Each trusted proxy appends the address that it saw, so the client is counted from the right of
 * `X-Forwarded-For`; what a client writes there itself stands further left and is not looked at.
 * With fewer entries than trusted proxies it is the leftmost one. Anything that is not an address
 * counts as absent, and then it is the connection's address: junk never makes a new identity.
 *
 * @param remoteAddress of the connection
 * @param forwardedFor the `X-Forwarded-For` header, repeated ones joined by commas
 * @param trustedProxies exact number of reverse proxies in front; 0: the header is not looked at
 */
export function clientIp(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const connection = normalise(remoteAddress) ?? UNKNOWN;
  if (trustedProxies <= 0 || forwardedFor === undefined) return connection;
  const entries = forwardedFor
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const client = entries[Math.max(0, entries.length - trustedProxies)];
  return normalise(client) ?? connection;
}

/**
 * Whom a limit counts: an IPv4 address itself, an IPv6 address by its /64. That is one subnet
 * (RFC 4291, 2.5.4), within which a host chooses and changes its address at will (RFC 8981).
 * @param ip from `clientIp`
 */
export function limiterIdentity(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const known = groups.length + (tail === '' ? 0 : tail.split(':').length);
    groups.push(...Array<string>(8 - known).fill('0'), ...tail.split(':'));
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
