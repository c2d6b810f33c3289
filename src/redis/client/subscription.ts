import type { RedisClient } from './connection.js';
import type { RedisStore } from './redis.js';
import { MAX_SILENCE_MS } from './timing.js';

/**
 * Subscribes to a channel (pub/sub), again after each reconnect. Messages that are published meanwhile are lost.
 * @param client a connection for subscriptions only
 * @param onMessage called with the text of each message, which is untrusted
 */
export function subscribeTo(
  channel: string,
  client: RedisClient,
  store: Pick<RedisStore, 'report'>,
  onMessage: (text: string) => void,
): { close: () => void } {
  function subscribe(): void {
    if (client.status !== 'ready') return;
    client.subscribe(channel).catch((error: unknown) => {
      // An ACL may forbid the channel. The store knows of lost connections.
      if (error instanceof Error && error.name === 'ReplyError') store.report(error);
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
