import { loadConfig } from '../../src/config/config.js';
import { createLifecycle } from '../../src/process/lifecycle.js';
import { createCommonServices } from '../../src/services.js';
import { systemClock as clock } from './manual-clock.js';
import { recordingLog } from './records.js';

const { log } = recordingLog();
const config = loadConfig({});
const lifecycle = createLifecycle({ log, ...config.shutdown });

/** The kinds that the service registers, by name. */
export const {
  fetching: { kinds },
} = await createCommonServices({ config, log, clock, lifecycle });
