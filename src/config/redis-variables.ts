import Joi from 'joi';
import { certificateFile, file, privateKeyFileOf } from './file-rules.js';
import * as is from './rules.js';

/** A file that only a connection with TLS needs. */
const tlsFile = (schema: Joi.Schema<string>) =>
  is.optional(schema).when('REDIS_URL', {
    not: is.text.pattern(/^rediss:/).required(),
    then: Joi.forbidden().messages({ 'any.unknown': 'needs a REDIS_URL with rediss://' }),
  });

/** A password. It must not be in `REDIS_URL` as well. */
const onlyPassword = (schema: Joi.Schema<string>) =>
  is.optional(schema).when('REDIS_URL', {
    is: is.text.pattern(/^\w+:\/\/[^/@]*:[^/@]+@/).required(),
    then: Joi.forbidden().messages({ 'any.unknown': 'needs a REDIS_URL without a password' }),
  });

const withoutDatabase = Joi.string()
  .pattern(/^(?!\w+:\/\/[^/]*\/0*[1-9]\d*$)/)
  .messages({
    'string.pattern.base': 'must not have a database: a Redis Cluster has only database 0',
  });

export const REDIS = {
  REDIS_URL: is
    .optional(is.redisUrl)
    .when('REDIS_CLUSTER_NODES', { is: Joi.exist(), then: withoutDatabase })
    .example('redis://user:password@localhost:6379')
    .description(
      '`redis://` or, with TLS, `rediss://`, optionally with user, password, and the number of a database, but without options. If it is not set outside production, one process stores everything in memory',
    ),
  REDIS_PASSWORD: onlyPassword(is.password).description(
    'the password of Redis without percent-encoding; `REDIS_URL` must then have no password',
  ),
  REDIS_PASSWORD_FILE: onlyPassword(file).description(
    'a file with the password of Redis, for passwords that are rotated: each new connection reads it again; instead of `REDIS_PASSWORD`',
  ),
  REDIS_CLUSTER_NODES: is
    .optional(is.list(is.address))
    .example('host:6379,host:6379')
    .description(
      'nodes of a Redis Cluster: `host:port`, comma-separated. User, password, and TLS are then read from `REDIS_URL`',
    ),
  REDIS_SENTINELS: is
    .optional(is.list(is.address))
    .example('host:26379,host:26379')
    .description(
      'addresses of Redis Sentinel: `host:port`, comma-separated. User, password, and TLS are then read from `REDIS_URL`',
    ),
  REDIS_SENTINEL_MASTER: is
    .optional(is.text)
    .example('mymaster')
    .description("name of the master in the sentinels' configuration"),
  REDIS_SENTINEL_PASSWORD: is
    .optional(is.password)
    .description('password of the sentinels; the password of Redis is in `REDIS_URL`'),
  REDIS_TLS_CA: tlsFile(certificateFile).description(
    'PEM file with the certificate authority of Redis, if the system does not trust it; needs `rediss://`. Each new connection reads the files for TLS again',
  ),
  REDIS_TLS_CERT: tlsFile(certificateFile).description(
    'PEM file with a client certificate, if Redis requires one',
  ),
  REDIS_TLS_KEY: tlsFile(privateKeyFileOf('REDIS_TLS_CERT')).description(
    'PEM file with the key of the client certificate',
  ),
  // A brace would select a node of a cluster.
  REDIS_PREFIX: is.text
    .pattern(
      /^[A-Za-z0-9._-]{1,40}$/,
      'must be 1 to 40 letters, digits, periods, hyphens, and underscores',
    )
    .default('weather')
    .description(
      'prefix of every key, channel, and queue, so that several deployments can share a Redis. At most 40 letters, digits, periods, hyphens, and underscores',
    ),
};
