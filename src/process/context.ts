import type { Config } from '../config/config.js';
import type { Clock } from '../weather/types.js';
import type { Lifecycle } from './lifecycle.js';
import type { Logger } from './log.js';

/** What every part of a process needs: its settings, its log, the time, and its shutdown. */
export interface ProcessContext {
  config: Config;
  log: Logger;
  clock: Clock;
  lifecycle: Lifecycle;
}
