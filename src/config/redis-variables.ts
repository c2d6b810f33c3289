import * as is from './rules.js';
import { variable } from './variable.js';

/** Where Redis is, and how it is reached. */
export const REDIS = {
  url: variable('REDIS_URL', is.redisUrl, {
    example: 'redis://user:password@localhost:6379',
    meaning:
      '`redis://` or, with TLS, `rediss://`; may hold user, password and the number of a database, and no options. Not set outside production: one process keeps everything in memory',
  }),
  password: variable('REDIS_PASSWORD', is.text, {
    verbatim: true,
    meaning:
      'the password of Redis as it is, instead of percent-encoded in `REDIS_URL`; needs a `REDIS_URL` without one',
  }),
  clusterNodes: variable('REDIS_CLUSTER_NODES', is.list(is.address), {
    example: 'host:6379,host:6379',
    meaning:
      'for a Redis Cluster: `host:port`, comma-separated. User, password and TLS then come from `REDIS_URL`',
  }),
  sentinels: variable('REDIS_SENTINELS', is.list(is.address), {
    example: 'host:26379,host:26379',
    meaning:
      'for Redis Sentinel: `host:port`, comma-separated. User, password and TLS then come from `REDIS_URL`',
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
        'file (PEM) of the authority that vouches for the certificate of Redis, where the system does not know it; needs `rediss://`',
    }),
    cert: variable('REDIS_TLS_CERT', is.pemFile, {
      meaning: 'file (PEM) of a client certificate, where Redis demands one',
    }),
    key: variable('REDIS_TLS_KEY', is.pemFile, {
      meaning: 'file (PEM) of the key of that certificate',
    }),
  },
};
