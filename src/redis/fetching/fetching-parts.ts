import type { Fetcher } from '../../weather/fetch.js';
import type { Kinds } from '../../weather/kind.js';
import type { FetchJobs } from './fetch-jobs.js';
import type { FetchingOptions } from './fetching-options.js';
import type { SharedEntries } from './shared-entries.js';

/** The options and objects that worker and replica share. */
export interface Parts extends FetchingOptions {
  entries: SharedEntries;
  jobs: FetchJobs;
  kinds: Kinds;
  fetcher: Fetcher;
}
