import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRateLimitFields } from '../../src/http/rate-limit-fields.js';

const perIp = { limit: 30, windowSeconds: 60 };
const total = { limit: 200, windowSeconds: 3600 };
const off = { limit: 0, windowSeconds: 60 };

describe('the fields of the rate limits', () => {
  it('rate limit fields: those of this process while it applies its share of the limits', () => {
    const fields = createRateLimitFields({ perIp, total });
    const own = { limit: 10, remaining: 4, resetMs: 1 };
    const all = { limit: 66, remaining: 0, resetMs: 61_001 };
    assert.equal(fields.policy({ own, total: all }), '"ip";q=10;w=60, "total";q=66;w=3600');
    assert.equal(fields.policy({ total: all }), '"ip";q=30;w=60, "total";q=66;w=3600');
    assert.equal(fields.state({ own, total: all }), '"ip";r=4;t=1, "total";r=0;t=62');
    assert.equal(fields.state({ own }), '"ip";r=4;t=1');
  });

  it('rate limit fields: a limit that is off is left out', () => {
    const own = { limit: 30, remaining: 4, resetMs: 1 };
    assert.equal(createRateLimitFields({ perIp, total: off }).policy({ own }), '"ip";q=30;w=60');
    const all = { limit: 200, remaining: 4, resetMs: 1 };
    const fields = createRateLimitFields({ perIp: off, total });
    assert.equal(fields.policy({ total: all }), '"total";q=200;w=3600');
  });
});
