import { ConfigError, loadConfig, type Role } from '../../src/config/config.js';

/** As long as production demands. */
export const KEY = 'k'.repeat(32);

/** What production cannot do without. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  SESSION_SECRET_KEY: KEY,
  REDIS_URL: 'redis://redis:6379',
};

/** What is wrong with the variables; nothing when they are valid. */
export function faultsOf(env: Record<string, string>, role?: Role): string[] {
  try {
    loadConfig(env, role);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

/** The variable of each fault. */
export const namesIn = (faults: string[]) => faults.map((fault) => fault.split(' ')[0]);
