/** What happened last, for a person who asks now. Times are ISO 8601. */
export interface Recent {
  /** The last failed call of each upstream. */
  readonly failures: ReadonlyMap<string, { kind: string; at: string }>;
  readonly redis: { state: 'well' | 'degraded'; since: string; reason: string | null };
  upstreamCalled(provider: string, outcome: string): void;
  /** @param reason of a degradation */
  redisDegraded(degraded: boolean, reason: string): void;
}

const now = (): string => new Date().toISOString();

export function createRecent(): Recent {
  const failures = new Map<string, { kind: string; at: string }>();
  let redis: Recent['redis'] = { state: 'well', since: now(), reason: null };
  return {
    failures,
    get redis() {
      return redis;
    },
    upstreamCalled(provider, outcome) {
      if (outcome !== 'ok') failures.set(provider, { kind: outcome, at: now() });
    },
    redisDegraded(degraded, reason) {
      redis = degraded
        ? { state: 'degraded', since: now(), reason }
        : { state: 'well', since: now(), reason: null };
    },
  };
}
