import type { Instruments } from './instruments.js';

/** What happened last, for a person who asks now. Times are ISO 8601. */
export interface Recent {
  /** The last failed call of each upstream. */
  readonly failures: ReadonlyMap<string, { kind: string; at: string }>;
  readonly redis: {
    state: 'connecting' | 'well' | 'degraded';
    since: string;
    reason: string | null;
    detail: string | null;
  };
  upstreamCalled(provider: string, outcome: string): void;
  redisDegraded: Instruments['redisDegraded'];
}

const now = (): string => new Date().toISOString();

export function createRecent(): Recent {
  const failures = new Map<string, { kind: string; at: string }>();
  let redis: Recent['redis'] = { state: 'connecting', since: now(), reason: null, detail: null };
  return {
    failures,
    get redis() {
      return redis;
    },
    upstreamCalled(provider, outcome) {
      if (outcome !== 'ok') failures.set(provider, { kind: outcome, at: now() });
    },
    redisDegraded(fault) {
      const state = fault ? 'degraded' : 'well';
      const since = state === redis.state ? redis.since : now();
      redis = { state, since, reason: fault?.reason ?? null, detail: fault?.detail ?? null };
    },
  };
}
