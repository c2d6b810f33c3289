import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '../../../src/errors.js';
import type { FetchRecords } from '../../../src/redis/fetching/record.js';
import { weatherRequest } from '../../../src/weather/request.js';
import { eventually } from '../../support/eventually.js';
import { startRedis } from '../../support/redis-server.js';
import { scope } from '../../support/scope.js';
import { startMember } from './members/member.js';
import { createChecker } from './members/checker.js';

const request = weatherRequest({ latitude: 48, longitude: 11 });
const another = weatherRequest({ latitude: 50, longitude: 11 });

describe('a process to which Redis gave a fetch, and whose answer came too late', () => {
  it('runs it all the same: whoever waits for it elsewhere has its entry', async (t) => {
    const server = await startRedis();
    const checker = await createChecker(server.url);
    let isLate = false;
    let [answers, renewals] = [0, 0];
    const late = (records: FetchRecords): FetchRecords => ({
      ...records,
      async ask(...args) {
        const found = await records.ask(...args);
        if (isLate) throw new StoreUnavailableError('The answer came too late');
        answers += 1;
        return found;
      },
      async renew(...args) {
        const isHeld = await records.renew(...args);
        if (isHeld) renewals += 1;
        return isHeld;
      },
    });
    const member = (name: string, watched = checker) =>
      startMember({
        ...{ name, port: server.port, isWorker: false, checker: watched },
        behaviourOf: () => ({ afterMs: 500, fails: false }),
      });
    const slow = await member('slow', {
      ...checker,
      observe: (_process, records) => late(records),
    });
    const other = await member('other');
    t.after(async () => {
      await Promise.all([slow.close(), other.close()]);
      checker.close();
      await server.stop();
    });
    await eventually(async () => {
      const asked = await slow.queue.ask(another, scope(), true);
      if (asked.kind === 'fetch') await asked.end;
      return answers > 0;
    }, 'a connection');

    [isLate, renewals] = [true, 0];
    const asked = await slow.queue.ask(request, scope(), true);
    const joined = await other.queue.ask(request, scope(), true);
    assert.deepEqual([asked.kind, joined.kind], ['fetch', 'fetch']);
    assert.ok(asked.kind === 'fetch' && joined.kind === 'fetch');
    const [own, theirs] = await Promise.all([asked.end, joined.end]);
    assert.equal(theirs.entry.fetchId, own.entry.fetchId);
    assert.deepEqual([own.caused, theirs.caused], [true, false]);
    // Nobody else finds it queued, and runs it too. The next renewal is due after a second.
    assert.equal(renewals, 1);
  });
});
