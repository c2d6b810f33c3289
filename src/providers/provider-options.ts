import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { UpstreamClient } from '../upstream/upstream-client.js';
import type { Clock } from '../weather/types.js';

export interface ProviderOptions {
  /** `urls` has the base URL of each upstream service, without a path. */
  config: Config;
  /** Whether `PROVIDER_BUDGETS` limits the calls to the provider. */
  hasBudget: boolean;
  client: UpstreamClient;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
}
