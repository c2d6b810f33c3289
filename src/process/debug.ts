import type { Config } from '../config/config.js';
import { withTimeLimit } from '../time-limit.js';
import type { Probes } from './metrics.js';
import type { Recent } from './recent.js';

/** What is not known by then is shown as `unknown`. Doubled: beside a hung Redis a page takes 0.4 s. */
const TIME_LIMIT_MS = 200;
const late = () => new Error('The answer takes too long');
const REDACTED = '[redacted]';
const SECRET_NAMES = /key|secret|password/i;

/** Pages of JSON about a process, by path. */
export type DebugPages = Record<string, () => Promise<string>>;

/**
 * Pages for a person who looks for a cause. None waits for Redis, and none shows a secret.
 * @param probes undefined before anything can be asked
 */
export function createDebugPages(options: {
  config: Config;
  recent: Recent;
  probes: () => Probes | undefined;
}): DebugPages {
  const { config, recent, probes } = options;

  async function provider(name: string, { breakerOpenMs, budgetState }: Probes) {
    const openMs = breakerOpenMs(name);
    const limit = { limitMs: TIME_LIMIT_MS, late };
    const budget = await withTimeLimit(limit, () => budgetState(name)).catch(() => undefined);
    return {
      provider: name,
      breaker: openMs > 0 ? 'open' : 'closed',
      retry_after_ms: openMs ? Math.ceil(openMs) : null,
      budget:
        budget?.map(({ windowSeconds, limit, remaining }) => ({
          window_seconds: windowSeconds,
          limit,
          left: remaining,
        })) ?? 'unknown',
      last_failure: recent.failures.get(name) ?? null,
    };
  }

  const pages: Record<string, () => unknown> = {
    '/debug/config': () => {
      const { upstream } = config;
      // Without a value of PROVIDER_BUDGETS, each provider's own budget holds.
      return redacted({ ...config, upstream: { ...upstream, budgets: probes()?.budgets } });
    },
    '/debug/providers': async () => {
      const asked = probes();
      if (!asked) return { providers: [] };
      return { providers: await Promise.all(asked.providers.map((name) => provider(name, asked))) };
    },
    '/debug/redis': () => ({
      address: redacted(config.redis ?? null),
      ...(config.redis ? recent.redis : { state: 'not_configured' }),
    }),
  };
  const text = async (page: () => unknown) => `${JSON.stringify(await page(), null, 2)}\n`;
  return Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, () => text(page)]));
}

/** A copy without secrets: neither under a name that says so, nor in an address. */
export function redacted(value: unknown, name = ''): unknown {
  if (value === undefined || value === null) return null;
  if (SECRET_NAMES.test(name)) return REDACTED;
  if (typeof value === 'string') return withoutCredentials(value);
  if (value instanceof Map) return redacted(Object.fromEntries(value));
  if (Array.isArray(value)) return value.map((each) => redacted(each));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redacted(each, key)]));
}

function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  return `${url.protocol}//${REDACTED}@${url.host}${url.pathname}`;
}
