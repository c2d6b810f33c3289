import * as is from './rules.js';
import { variable } from './variable.js';

/** The variables for the connection to Redis. */
export const REDIS = {
  url: variable('REDIS_URL', is.redisUrl, {
    example: 'redis://user:password@localhost:6379',
    meaning:
      '`redis://` or, with TLS, `rediss://`, optionally with user, password, and the number of a database, but without options. If it is not set outside production, one process stores everything in memory',
  }),
  password: variable('REDIS_PASSWORD', is.text, {
    verbatim: true,
    meaning:
      'the password of Redis without percent-encoding; `REDIS_URL` must then have no password',
  }),
  passwordFile: variable('REDIS_PASSWORD_FILE', is.readableFile, {
    meaning:
      'a file with the password of Redis, for passwords that are rotated: each new connection reads it again; instead of `REDIS_PASSWORD`',
  }),
  clusterNodes: variable('REDIS_CLUSTER_NODES', is.list(is.address), {
    example: 'host:6379,host:6379',
    meaning:
      'nodes of a Redis Cluster: `host:port`, comma-separated. User, password, and TLS are then read from `REDIS_URL`',
  }),
  sentinels: variable('REDIS_SENTINELS', is.list(is.address), {
    example: 'host:26379,host:26379',
    meaning:
      'addresses of Redis Sentinel: `host:port`, comma-separated. User, password, and TLS are then read from `REDIS_URL`',
  }),
  sentinelMaster: variable('REDIS_SENTINEL_MASTER', is.text, {
    example: 'mymaster',
    meaning: "name of the master in the sentinels' configuration",
  }),
  sentinelPassword: variable('REDIS_SENTINEL_PASSWORD', is.text, {
    verbatim: true,
    meaning: 'password of the sentinels; the password of Redis is in `REDIS_URL`',
  }),
  tls: {
    ca: variable('REDIS_TLS_CA', is.pemFile, {
      meaning:
        'PEM file with the certificate authority of Redis, if the system does not trust it; needs `rediss://`',
    }),
    cert: variable('REDIS_TLS_CERT', is.pemFile, {
      meaning: 'PEM file with a client certificate, if Redis requires one',
    }),
    key: variable('REDIS_TLS_KEY', is.pemFile, {
      meaning: 'PEM file with the key of the client certificate',
    }),
  },
};
