import type { RedisClient } from './connection.js';
import type { GuardedRedis } from './guarded-redis.js';
import { MAX_SILENCE_MS } from './timing.js';

/**
 * Subscribes to a channel (pub/sub), again after each reconnect. Messages that are published meanwhile are lost.
 * @param client a connection for subscriptions only
 * @param onMessage called with the text of each message, which is untrusted
 */
export function subscribeTo(
  channel: string,
  client: RedisClient,
  redis: Pick<GuardedRedis, 'report'>,
  onMessage: (text: string) => void,
): { close: () => void } {
  function subscribe(): void {
    if (client.status !== 'ready') return;
    client.subscribe(channel).catch((error: unknown) => {
      // An ACL may forbid the channel. The health check reports lost connections.
      if (error instanceof Error && error.name === 'ReplyError') redis.report(error);
    });
  }
  client.on('ready', subscribe);
  client.on('message', (_channel: string, text: string) => {
    onMessage(text);
  });
  // The replies keep the connection open: without any, its socket timeout ends it.
  const renewal = setInterval(subscribe, MAX_SILENCE_MS).unref();
  return {
    close: () => {
      clearInterval(renewal);
      client.disconnect();
    },
  };
}
