import { isIP, isIPv4, SocketAddress } from 'node:net';

/** The connection was closed before its address could be read. */
const UNKNOWN = 'unknown';

const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/;
const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const IPV6_IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/;

/** Returns the canonical spelling of an address, or `undefined` if the text is not an address. */
function normalize(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // Most addresses are of this form.
  if (isIPv4(text)) return text;
  const bare =
    IPV4_WITH_PORT.exec(text)?.[1] ??
    // The usual form if the server listens on `::`. The code below is much slower.
    IPV4_MAPPED.exec(text)?.[1] ??
    IPV6_IN_BRACKETS.exec(text)?.[1] ??
    text;
  const version = isIP(bare);
  if (version !== 6) return version === 4 ? bare : undefined;
  // This also removes a zone ID, which names a network interface of this machine.
  const { address: canonical } = new SocketAddress({ address: bare, family: 'ipv6' });
  const mapped = canonical.replace(/^::ffff:/, '');
  return isIPv4(mapped) ? mapped : canonical;
}

/**
 * Returns the client's address in its canonical spelling.
 *
 * Each trusted proxy appends the address of its client, so the client is counted from the right of
 * `X-Forwarded-For`: entries that a client writes itself are further left. With fewer entries than
 * proxies, the leftmost one is used; instead of an invalid one, the address of the connection.
 */
export function clientIp(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const connection = normalize(remoteAddress) ?? UNKNOWN;
  if (trustedProxies === 0 || forwardedFor === undefined) return connection;
  const entries = forwardedFor
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const client = entries[Math.max(0, entries.length - trustedProxies)];
  return normalize(client) ?? connection;
}

/** Returns whether the client used TLS, by `X-Forwarded-Proto`, counted like `X-Forwarded-For`. */
export function isSecure(forwardedProto: string, trustedProxies: number): boolean {
  if (forwardedProto === '') return false;
  const hops = forwardedProto.split(',');
  const counted = hops[Math.max(0, hops.length - trustedProxies)] ?? '';
  return counted.trim().toLowerCase() === 'https';
}

/**
 * Returns the identity that the rate limits count: an IPv4 address, or the /64 of an IPv6 address,
 * in which a host changes its address at will (RFC 8981).
 */
export function limiterIdentity(ip: string): string {
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = tail.split(':');
    const zeros = 8 - groups.length - last.length;
    groups.push(...Array<string>(zeros).fill('0'), ...last);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
