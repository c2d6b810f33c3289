import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  startBehindRelays,
  type ProcessesBehindRelays,
} from '../support/processes-behind-relays.js';
import { eventually } from '../support/eventually.js';
import { delayReplies } from '../support/transient-delay.js';
import { anyClient } from '../support/http-client.js';
import { suiteLifetime } from '../support/lifetime.js';
import { assertOutcomes, attempt, burst, type Reply } from '../support/load.js';
import { placePath } from '../support/places.js';
import { createRandom } from '../support/random.js';
import { readiness } from '../support/readiness.js';
import { SEED } from '../support/seed.js';

const CLIENTS = 6;
const PER_IP = 30;
const TOTAL = 1200;
const REPLICAS_HINT = 12;
const TOTAL_PER_PROCESS = TOTAL / REPLICAS_HINT;
const ENV = {
  TRUST_PROXY: '1',
  RATE_LIMIT_PER_IP: String(PER_IP),
  RATE_LIMIT_PER_IP_WINDOW_SECONDS: '600',
  RATE_LIMIT_TOTAL: String(TOTAL),
  REPLICAS_HINT: String(REPLICAS_HINT),
};
const MAX_WAIT_S = 10;
const random = createRandom(SEED);

const waitsOf = (replies: Reply[]): number[] =>
  replies
    .filter(({ status }) => status === 429)
    .map(({ headers }) => Number(headers['retry-after']));

describe('rate limits during a transient delay of Redis', () => {
  const lifetime = suiteLifetime();
  let apart: ProcessesBehindRelays;
  before(async () => {
    apart = await startBehindRelays(lifetime, { replicas: 2, workers: 0, env: ENV });
  });

  /** A request of one client to one replica. */
  const send = (replica: number, client: number): Promise<Reply> =>
    attempt(apart.replicas[replica]!.url + placePath(0), { headers: anyClient(client) });

  it('refuse no client that is within its limits', async () => {
    for (let used = 0; used < PER_IP / 2; used += 1) {
      const urls = Array.from({ length: CLIENTS }, (_, client) => send(used % 2, client));
      assertOutcomes(await Promise.all(urls));
    }
    await sleep(random.between(0, 1000));
    const late = delayReplies(apart.relays[0]!, 400, 400);
    const replies: Promise<Reply>[] = [];
    for (let n = 0; n < 51; n += 1) {
      // Every second client is new.
      replies.push(send(0, n % 2 ? 1000 + n : (n / 2) % CLIENTS));
      await sleep(random.between(10, 40));
    }
    await late;
    assertOutcomes(await Promise.all(replies));
  });

  it('announce a wait of at most ten seconds, though Redis would announce minutes', async () => {
    const url = apart.replicas[0]!.url + placePath(0);
    const relay = apart.relays[0]!;
    relay.delayBy(800);
    const replies = await burst(Array<string>(PER_IP + 10).fill(url), {
      headers: anyClient(5000),
    }).finally(() => {
      relay.delayBy(0);
    });
    const waits = waitsOf(replies);
    assert.equal(waits.length, 10);
    assert.ok(Math.max(...waits) <= MAX_WAIT_S, String(waits));
  });
});

describe('rate limits during an outage of Redis', () => {
  const lifetime = suiteLifetime();
  let apart: ProcessesBehindRelays;
  before(async () => {
    apart = await startBehindRelays(lifetime, { replicas: 2, workers: 0, env: ENV });
  });

  /** Requests of one client to one replica, one after the other. */
  async function send(replica: number, client: number, requests: number): Promise<Reply[]> {
    const url = apart.replicas[replica]!.url + placePath(0);
    const replies: Reply[] = [];
    for (let n = 0; n < requests; n += 1) {
      replies.push(await attempt(url, { headers: anyClient(client) }));
    }
    return replies;
  }
  const admitted = (replies: Reply[]) => replies.filter(({ status }) => status === 200).length;

  it('are the limit per client IP in full and the divided total, at each process', async () => {
    const before = await send(0, 1, PER_IP + 2);
    assert.equal(admitted(before), PER_IP);
    assert.ok(Math.min(...waitsOf(before)) > MAX_WAIT_S);
    await apart.redis.kill('SIGKILL');
    await eventually(
      async () => (await Promise.all(apart.replicas.map(readiness))).every((code) => code === 503),
      'both replicas report the outage',
    );
    for (const replica of [0, 1]) {
      const own = await send(replica, 1, PER_IP + 5);
      assert.equal(admitted(own), PER_IP);
      const others: Reply[] = [];
      for (let client = 2; client < 6; client += 1)
        others.push(...(await send(replica, client, PER_IP)));
      assert.equal(admitted(others), TOTAL_PER_PROCESS - PER_IP);
      const waits = waitsOf([...own, ...others]);
      assert.ok(Math.max(...waits) <= MAX_WAIT_S, String(waits));
    }
  });
});
