import { loadConfig } from '../../src/config/config.js';
import { createLifecycle } from '../../src/process/lifecycle.js';
import { createServices } from '../../src/services.js';
import { systemClock as clock } from './manual-clock.js';
import { recordingLog } from './records.js';

/** What an app in this process consists of, by environment variables, and its log records. */
export async function appParts(env: Record<string, string>) {
  const { log, records } = recordingLog();
  const config = loadConfig(env);
  const lifecycle = createLifecycle({ log, delayMs: 0, timeoutMs: 0 });
  const services = await createServices({ config, log, clock, lifecycle });
  return { config, log, clock, lifecycle, services, records };
}
