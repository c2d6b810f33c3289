import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { noInstruments } from '../../../src/process/instruments.js';
import { createTelling } from '../../../src/redis/client/telling.js';

/** As long as trouble may last without being told, and a bit. */
const LASTING_MS = 1100;

function open() {
  const telling = createTelling(pino({ enabled: false }), noInstruments);
  return {
    well: () => {
      telling.observe(undefined);
    },
    /** @returns whether trouble that begins now is told */
    troubleIsTold: (): boolean => {
      telling.observe({ reason: 'no_connection', since: performance.now() });
      return telling.isLasting;
    },
  };
}

describe('short trouble of Redis', () => {
  it('that comes again and again is told as one that lasts', async () => {
    const { well, troubleIsTold } = open();
    well();
    assert.equal(troubleIsTold(), false);
    for (let i = 0; i < 4; i += 1) {
      await sleep(LASTING_MS / 4);
      well();
      if (i < 3) troubleIsTold();
    }
    assert.equal(troubleIsTold(), true);
  });

  it('after a first connection that came late begins with itself', async () => {
    const { well, troubleIsTold } = open();
    assert.equal(troubleIsTold(), false);
    for (let i = 0; i < 3; i += 1) {
      await sleep(LASTING_MS / 4);
      troubleIsTold();
    }
    well();
    await sleep(LASTING_MS / 4);
    assert.equal(troubleIsTold(), false);
  });
});

describe('a reason of Redis that comes back', () => {
  it('is shown again, though it is logged once', async () => {
    const shown: (string | undefined)[] = [];
    const redisUnavailable = (fault?: { reason: string }) => shown.push(fault?.reason);
    const logged: unknown[] = [];
    const log = pino({}, { write: (line) => logged.push(/"reason":"(\w+)"/.exec(line)?.[1]) });
    const telling = createTelling(log, { ...noInstruments, redisUnavailable });
    telling.observe({ reason: 'loading', since: performance.now() });
    await sleep(LASTING_MS / 2);
    telling.observe({ reason: 'loading', since: performance.now() });
    await sleep(LASTING_MS / 2);
    for (const reason of ['loading', 'busy', 'loading']) {
      telling.observe({ reason, since: performance.now() });
    }
    assert.deepEqual(shown, ['loading', 'busy', 'loading']);
    assert.deepEqual(logged, ['loading', 'busy']);
  });
});
