import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rateLimitFields } from '../../../src/http/edge/limits.js';

const quotas = {
  per_ip: { limit: 30, windowSeconds: 60 },
  total: { limit: 200, windowSeconds: 3600 },
};
const fields = (policy: string, state: string) => ['RateLimit-Policy', policy, 'RateLimit', state];

describe('the fields of the rate limits', () => {
  it('have the limits of this process while it counts alone', () => {
    const per_ip = { limit: 10, remaining: 4, resetMs: 1 };
    const total = { limit: 66, remaining: 0, resetMs: 61_001 };
    assert.deepEqual(
      rateLimitFields({ quotas, per_ip, total }),
      fields('"ip";q=10;w=60, "total";q=66;w=3600', '"ip";r=4;t=1, "total";r=0;t=62'),
    );
    assert.deepEqual(
      rateLimitFields({ quotas, total }),
      fields('"ip";q=30;w=60, "total";q=66;w=3600', '"total";r=0;t=62'),
    );
  });
});
