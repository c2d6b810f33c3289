import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApart, type Apart } from '../support/apart.js';
import { hiccup } from '../support/hiccup.js';
import { anyClient } from '../support/http-client.js';
import { suiteLifetime } from '../support/lifetime.js';
import { assertOutcomes, attempt, burst, type Reply } from '../support/load.js';
import { placePath } from '../support/places.js';
import { createRandom } from '../support/random.js';
import { SEED } from '../support/seed.js';

const CLIENTS = 6;
const PER_IP = 30;
const ENV = {
  TRUST_PROXY: '1',
  RATE_LIMIT_PER_IP: String(PER_IP),
  RATE_LIMIT_TOTAL: '200',
  REPLICAS_HINT: '12',
};
const random = createRandom(SEED);

describe('limits that are half used, at a replica of twelve whose Redis has a hiccup', () => {
  const lifetime = suiteLifetime();
  let apart: Apart;
  before(async () => {
    apart = await startApart(lifetime, { replicas: 2, workers: 0, env: ENV });
  });

  /** From one client, at one replica. */
  const ask = (replica: number, client: number): Promise<Reply> =>
    attempt(apart.replicas[replica]!.url + placePath(0), { headers: anyClient(client) });

  it('refuse nobody who is within the limits', async () => {
    for (let used = 0; used < PER_IP / 2; used += 1) {
      const urls = Array.from({ length: CLIENTS }, (_, client) => ask(used % 2, client));
      assertOutcomes(await Promise.all(urls));
    }
    await sleep(random.between(0, 1000));
    const late = hiccup(apart.relays[0]!, 400, 400);
    const replies: Promise<Reply>[] = [];
    for (let n = 0; n < 51; n += 1) {
      // Every second one is new.
      replies.push(ask(0, n % 2 ? 1000 + n : (n / 2) % CLIENTS));
      await sleep(random.between(10, 40));
    }
    await late;
    assertOutcomes(await Promise.all(replies));
  });

  it('tell a refusal of their own share to come back within ten seconds', async () => {
    const url = apart.replicas[0]!.url + placePath(0);
    const late = hiccup(apart.relays[0]!, 800, 800);
    // Redis would admit them all.
    const replies = await burst(Array<string>(20).fill(url), { headers: anyClient(5000) });
    const refused = replies.filter(({ status }) => status === 429);
    assert.notEqual(refused.length, 0, 'nobody was refused');
    const waits = refused.map(({ headers }) => Number(headers['retry-after']));
    assert.ok(Math.max(...waits) <= 10, String(waits));
    await late;
  });
});
