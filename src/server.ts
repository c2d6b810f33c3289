import { randomBytes } from 'node:crypto';
import { createApp } from './app.js';
import { systemClock as clock } from './process/clock.js';
import type { Config } from './config/config.js';
import { listen } from './http/http-server.js';
import type { Logger } from './process/log.js';
import { createServices } from './services.js';
import { createLifecycle } from './process/lifecycle.js';
import { listening } from './process/listen.js';
import { begin, describeStore, exposeMetrics } from './process/start.js';
import { SERVICE_VERSION } from './process/version.js';

/** The API process: configuration → services → app → listen → shutdown. */

/**
 * What a client has for its headers, and then for its body. Doubled, one that sends nothing holds its
 * connection for twice as long before it gets its 408.
 */
const RECEIVE = { headersMs: 15_000, bodyMs: 30_000 };

/** A request may take its whole time: its response comes before its connection is closed as idle. */
const AFTER_RESPONSE_MS = 1000;

const { config, log } = begin('api');
warnOfWeakSettings(config, log);

const lifecycle = createLifecycle({ log, ...config.shutdown });
// Process 1 of a container is not ended by a signal that nobody listens for.
lifecycle.endOnSignal();
const services = await createServices({ config, log, clock, lifecycle });
const app = createApp({
  config,
  services,
  sessionKeys: config.session.keys ?? [randomBytes(32).toString('hex')],
  log,
  clock,
  lifecycle,
  bodyMs: RECEIVE.bodyMs,
});
await exposeMetrics(services.metrics, { config, log, lifecycle });
const handle = app.callback();
let handling = 0;
let whenHandled: () => void = () => undefined;
const handled = () => {
  handling -= 1;
  if (handling === 0) whenHandled();
};
const { server, port } = await listening(
  listen(
    (request, response) => {
      handling += 1;
      void handle(request, response).then(handled, handled);
    },
    config,
    {
      idleTimeoutMs: config.requestTimeoutMs + AFTER_RESPONSE_MS,
      receive: RECEIVE,
      closing: lifecycle.closing,
    },
  ),
  { host: config.host, port: { name: 'PORT', number: config.port }, log },
);
services.metrics?.watchRequests(() => handling);
lifecycle.serves(server);
// A request that was cut off writes its record, too: it ends before what it uses is closed.
lifecycle.closes(async () => {
  if (handling > 0) await new Promise<void>((resolve) => (whenHandled = resolve));
});
introduce(config, port, log);

function warnOfWeakSettings(config: Config, logger: Logger): void {
  const { production, session, corsOrigins, rateLimits } = config;
  if (!session.keys) {
    logger.warn({
      event: 'session_key_random',
      hint: 'sessions end with this process: set SESSION_SECRET_KEY',
    });
  }
  if (rateLimits.dryRun) {
    logger.warn({ event: 'rate_limits_dry_run', hint: 'RATE_LIMIT_DRY_RUN: no limit refuses' });
  }
  if (corsOrigins === '*' && production) {
    logger.warn({ event: 'cors_all_origins', hint: 'name the origins in CORS_ORIGINS' });
  }
  if (Array.isArray(corsOrigins) && corsOrigins.length === 0) {
    logger.info({ event: 'cors_no_origins', hint: 'CORS_ORIGINS is not set: no browser client' });
  }
}

/** The first thing that a person or a machine wants to know: what runs where. */
function introduce({ host, redis, upstream }: Config, boundPort: number, logger: Logger): void {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const address = `http://${shown.includes(':') ? `[${shown}]` : shown}:${boundPort}`;
  const facts = {
    address,
    docs: `${address}/apidocs/`,
    store: describeStore(redis),
    providers: upstream.providers.join(', '),
  };
  if (process.stdout.isTTY) {
    console.log(
      `Weather lookup service\n${Object.entries(facts)
        .map(([name, value]) => `  ${name.padEnd(10)} ${value}`)
        .join('\n')}\n  try        curl '${address}/api/v1/weather?city=Seattle&country=USA'\n`,
    );
  } else {
    logger.info({ event: 'server_started', version: SERVICE_VERSION, ...facts });
  }
}
