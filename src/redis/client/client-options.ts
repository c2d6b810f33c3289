import type { RedisOptions } from 'ioredis';

/** Options of the client, without the option that changes its type. */
export type Options = Omit<RedisOptions, 'replyMapping'>;

/**
 * The use of a connection.
 * - `requests`: commands of requests, which fail at once if there is no connection
 * - `worker`: takes jobs with blocking commands, which wait for Redis without a limit
 * - `subscriber`: receives messages (pub/sub)
 */
export type Purpose = 'requests' | 'worker' | 'subscriber';
