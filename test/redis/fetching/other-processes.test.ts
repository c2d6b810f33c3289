import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../../src/config/config.js';
import { createMessageRouter, type Outcome } from '../../../src/redis/fetching/fetch-messages.js';
import { createRedisSharedCache } from '../../../src/redis/fetching/redis-shared-cache.js';
import { keyOf } from '../../../src/weather/kinds/kind.js';
import { POSITION } from '../../../src/weather/kinds/position.js';
import { createVirtualTime } from '../../model/virtual-time.js';
import { recordingLog } from '../../support/records.js';
import { scope } from '../../support/scope.js';
import { requestOf } from './fleet.js';

const REQUEST = requestOf('a');

const nothing = () => Promise.resolve();

/** What a request gets whose job ends in another process. Its own process has no free slot. */
async function resultAfter(outcome: Outcome, atMs: number): Promise<string> {
  const time = createVirtualTime();
  const clock = { now: () => time.now, monotonic: () => time.now };
  const messages = createMessageRouter(time.startTimer);
  const parts = {
    ...{ clock, log: recordingLog().log, config: loadConfig({}), redis: { report: nothing } },
    entries: { isFresh: () => false, read: () => Promise.resolve({}), finish: nothing },
    jobs: { add: nothing, take: () => Promise.resolve('running') },
    fetcher: () => Promise.resolve({ value: null, provider: 'own fetch' }),
    availability: () => 'good',
    slots: { freeForMs: () => -1 },
  };
  const cache = createRedisSharedCache(messages, parts as never);
  let result = '';
  time.after(0, async () => {
    const { fetch } = await cache.find(POSITION, REQUEST);
    const asked = fetch(scope()).then(({ provider }) => provider);
    result = await asked.catch((error: unknown) => String(error));
  });
  time.after(atMs, () => {
    messages.receive(`other ${outcome} fetch ${keyOf(POSITION, REQUEST)}`);
  });
  await time.runAll();
  return result;
}

describe('a request whose job ends in another process without an entry', () => {
  for (const atMs of [5500, 25_500]) {
    it(`fetches itself if the job failed after ${atMs} ms, or its entry is gone`, async () => {
      assert.equal(await resultAfter('failed', atMs), 'own fetch');
      assert.equal(await resultAfter('stored', atMs), 'own fetch');
    });
  }

  it('fetches itself if the job was dropped, but not after the time for which a job may wait', async () => {
    assert.equal(await resultAfter('dropped', 5500), 'own fetch');
    assert.match(await resultAfter('dropped', 25_500), /Too many fetches are waiting/);
  });
});
