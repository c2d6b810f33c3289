import type { Instruments } from './instruments.js';

interface Failure {
  kind: string;
  reason: string;
  at: string;
}

/** What happened last, for a person who asks now. Times are ISO 8601. */
export interface Recent {
  /** The last failed call of each upstream. */
  readonly failures: ReadonlyMap<string, Failure>;
  readonly redis: {
    state: 'connecting' | 'well' | 'unavailable';
    since: string;
    reason: string | null;
    detail: string | null;
  };
  upstreamFailed(provider: string, kind: string, reason: string): void;
  redisUnavailable: Instruments['redisUnavailable'];
}

const now = (): string => new Date().toISOString();

export function createRecent(): Recent {
  const failures = new Map<string, Failure>();
  let redis: Recent['redis'] = { state: 'connecting', since: now(), reason: null, detail: null };
  return {
    failures,
    get redis() {
      return redis;
    },
    upstreamFailed(provider, kind, reason) {
      failures.set(provider, { kind, reason, at: now() });
    },
    redisUnavailable(fault) {
      const state = fault ? 'unavailable' : 'well';
      const since = state === redis.state ? redis.since : now();
      redis = { state, since, reason: fault?.reason ?? null, detail: fault?.detail ?? null };
    },
  };
}
