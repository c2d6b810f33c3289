import type { Fetching } from '../../weather/fetch.js';
import type { FetchingOptions } from './fetching-options.js';
import type { JobQueue } from './job-queue.js';
import type { SharedEntries } from './shared-entries.js';
import type { Slots } from './slots.js';

export interface FetchingParts extends FetchingOptions, Fetching {
  entries: SharedEntries;
  jobs: JobQueue;
  slots: Slots;
}
