import type { RedisOptions } from 'ioredis';
import type { RedisAddress } from '../../config/config.js';
import { contentOf } from '../../config/file-rules.js';

/** Options of the client, without the option that changes its type. */
export type Options = Omit<RedisOptions, 'replyMapping'>;

/**
 * The use of a connection.
 * - `requests`: commands of requests, which fail at once if there is no connection
 * - `worker`: takes jobs with blocking commands, which wait for Redis without a limit
 * - `subscriber`: receives messages (pub/sub)
 */
export type Purpose = 'requests' | 'worker' | 'subscriber';

/** User, password, and TLS of an address. */
export function credentials(address: RedisAddress): Options {
  const { url, tls = {} } = address;
  if (url === undefined) return currentPassword(address);
  const { protocol, username, password } = new URL(url);
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...currentPassword(address),
    // With sentinels, `tls` alone is ignored, and the password would be sent unencrypted:
    // https://github.com/redis/ioredis/issues/1459.
    ...(protocol === 'rediss:' && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

/** The password in the file of an address. Empty without a file, or if it cannot be read. */
export function currentPassword({ passwordFile }: RedisAddress): { password?: string } {
  if (passwordFile === undefined) return {};
  const password = contentOf(passwordFile).replace(/[\r\n]+$/, '');
  // While the file is being replaced, the last password is used.
  return password === '' ? {} : { password };
}
