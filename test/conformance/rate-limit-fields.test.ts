import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseList, type Item } from 'structured-headers';
import { useService, weatherOf } from '../support/conformance.js';
import { type Answer, ask } from '../support/http-client.js';

const SEATTLE = weatherOf('Seattle', 'USA');
const SEARCHES = '/api/v1/recent-searches';

/** A structured field: name of the policy → its parameters. */
function fieldOf({ headers }: Answer, name: string): Record<string, Record<string, unknown>> {
  const items = parseList(String(headers[name])) as Item[];
  return Object.fromEntries(
    items.map(([policy, parameters]) => [String(policy), Object.fromEntries(parameters)]),
  );
}

/** Asserts that `RateLimit` equals `X-RateLimit-*`. @returns the remaining requests of each policy */
function leftOf(answer: Answer): Record<string, unknown> {
  const policies = fieldOf(answer, 'ratelimit-policy');
  const states = fieldOf(answer, 'ratelimit');
  const { headers } = answer;
  const named = (name: string) => Number(headers[`x-ratelimit-${name}`]);
  const secondsToReset = named('reset') - Date.parse(String(headers.date)) / 1000;
  assert.ok(
    Object.entries(states).some(
      ([policy, { r, t }]) =>
        policies[policy]?.['q'] === named('limit') &&
        r === named('remaining') &&
        // `Date` and `Reset` are in whole seconds.
        Math.abs(Number(t) - secondsToReset) <= 2,
    ),
    JSON.stringify(headers),
  );
  return Object.fromEntries(Object.entries(states).map(([policy, { r }]) => [policy, r]));
}

const asked = (url: string, address: string) =>
  ask(url, { headers: { 'X-Forwarded-For': address } });

describe('RateLimit-Policy and RateLimit', () => {
  const env = { RATE_LIMIT_PER_IP: '2', RATE_LIMIT_TOTAL: '5', TRUST_PROXY: '1' };
  const fixture = useService(env);
  const POLICIES = { ip: { q: 2, w: 60 }, total: { q: 5, w: 3600 } };

  it('contain both limits, equal to X-RateLimit-*; a rejection contains its own limit', async () => {
    const left: unknown[] = [];
    for (const [target, address, status] of [
      [SEATTLE, '192.0.2.1', 200],
      ['/api/weather', '192.0.2.1', 400],
      [SEATTLE, '192.0.2.1', 429],
      [SEARCHES, '192.0.2.1', 200],
      [SEARCHES, '192.0.2.2', 200],
      [SEATTLE, '192.0.2.2', 200],
      [SEATTLE, '192.0.2.3', 429],
    ] as const) {
      const answer = await asked(fixture.url + target, address);
      assert.equal(answer.status, status, target);
      assert.deepEqual(fieldOf(answer, 'ratelimit-policy'), POLICIES);
      left.push(leftOf(answer));
    }
    assert.deepEqual(left, [
      { ip: 1, total: 4 },
      { ip: 0, total: 3 },
      { ip: 0 },
      { ip: 1, total: 2 },
      { ip: 1, total: 1 },
      { ip: 1, total: 0 },
      { total: 0 },
    ]);
  });
});
