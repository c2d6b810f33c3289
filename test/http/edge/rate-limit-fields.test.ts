import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRateLimitFields } from '../../../src/http/edge/rate-limit-fields.js';

const fields = createRateLimitFields({
  per_ip: { limit: 30, windowSeconds: 60 },
  total: { limit: 200, windowSeconds: 3600 },
});

describe('the fields of the rate limits', () => {
  it('have the limits of this process while it counts alone', () => {
    const per_ip = { limit: 10, remaining: 4, resetMs: 1 };
    const total = { limit: 66, remaining: 0, resetMs: 61_001 };
    assert.equal(fields.policy({ per_ip, total }), '"ip";q=10;w=60, "total";q=66;w=3600');
    assert.equal(fields.policy({ total }), '"ip";q=30;w=60, "total";q=66;w=3600');
    assert.equal(fields.state({ per_ip, total }), '"ip";r=4;t=1, "total";r=0;t=62');
  });

  it('leave out a limit that is off', () => {
    const total = { limit: 200, windowSeconds: 3600 };
    const one = createRateLimitFields({ total });
    const left = { limit: 200, remaining: 4, resetMs: 1 };
    assert.equal(one.policy({ total: left }), '"total";q=200;w=3600');
  });
});
