import type { Instruments } from './instruments.js';

interface Failure {
  kind: string;
  reason: string;
  at: string;
}

interface RedisSeen {
  state: 'connecting' | 'well' | 'unavailable';
  since: string;
  reason: string | null;
  detail: string | null;
}

export type Recent = ReturnType<typeof createRecent>;

const now = (): string => new Date().toISOString();

/** What happened last, for a person who asks now. Times are ISO 8601. */
export function createRecent() {
  const failures = new Map<string, Failure>();
  let redis: RedisSeen = { state: 'connecting', since: now(), reason: null, detail: null };
  return {
    /** The last failed call of each upstream. */
    failures: failures as ReadonlyMap<string, Failure>,
    get redis() {
      return redis;
    },
    upstreamFailed(provider: string, kind: string, reason: string): void {
      failures.set(provider, { kind, reason, at: now() });
    },
    redisUnavailable(fault: Parameters<Instruments['redisUnavailable']>[0]): void {
      const state = fault ? 'unavailable' : 'well';
      const since = state === redis.state ? redis.since : now();
      redis = { state, since, reason: fault?.reason ?? null, detail: fault?.detail ?? null };
    },
  };
}
