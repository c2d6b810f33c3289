import { ConfigError, loadConfig, type Role } from '../../src/config/config.js';

/** A key of the shortest length that production accepts. */
export const KEY = 'k'.repeat(32);

/** The variables that production requires. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  SESSION_SECRET_KEY: KEY,
  REDIS_URL: 'redis://redis:6379',
};

/** Returns the faults of the variables; empty if they are valid. */
export function faultsOf(env: Record<string, string>, role?: Role): string[] {
  try {
    loadConfig(env, role);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

/** Returns the variable of each fault. */
export const namesIn = (faults: string[]) => faults.map((fault) => fault.split(' ')[0]);
