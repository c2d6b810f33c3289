import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createNodeHealth } from '../../../src/redis/client/node-health.js';

/** A node that is connected and well, and a clock that stands until it is moved. */
function setUp() {
  let now = 0;
  const health = createNodeHealth(() => now);
  health.connected();
  return {
    health,
    advance: (ms: number) => {
      now += ms;
    },
    /** Probes that take so long, every 100 ms. @returns after how many ms the node was usable */
    probes: (count: number, tookMs: number | ((n: number) => number)): number | undefined => {
      const start = now;
      for (let n = 0; n < count; n += 1) {
        health.probed(typeof tookMs === 'number' ? tookMs : tookMs(n));
        if (health.usable) return now - start;
        now += 100;
      }
      return undefined;
    },
  };
}

describe('the health of a node', () => {
  for (const [what, tookMs] of [
    ['steady', () => 101],
    ['with jitter', (n: number) => [50, 150, 148, 149, 150, 131][n % 6]!],
  ] as const) {
    it(`stays well while replies are late by 100 ms, ${what}`, () => {
      const { health } = setUp();
      for (let n = 0; n < 600; n += 1) health.probed(tookMs(n));
      assert.deepEqual([health.usable, health.fault], [true, undefined]);
    });
  }

  it('is slow after five probes over 150 ms, and stays so while they take 130 ms', () => {
    const { health, probes } = setUp();
    for (let n = 0; n < 4; n += 1) health.probed(180);
    assert.equal(health.usable, true);
    health.probed(180);
    assert.deepEqual([health.usable, health.fault], [false, 'slow']);
    assert.equal(probes(1000, 130), undefined);
    assert.equal(probes(1000, 20), 2000);
    assert.equal(health.fault, undefined);
  });

  it('never recovers while one probe in fifteen is late', () => {
    const { health, probes } = setUp();
    health.silent();
    assert.equal(
      probes(3000, (n) => (n % 15 === 0 ? 400 : 5)),
      undefined,
    );
    assert.equal(health.fault, 'no_answer');
  });

  it('needs twice as long after each relapse within a minute, at most 30 s', () => {
    const { health, probes, advance } = setUp();
    const waits = [];
    for (let n = 0; n < 7; n += 1) {
      health.silent();
      waits.push(probes(1000, 1));
      advance(59_000);
    }
    assert.deepEqual(waits, [2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    advance(2000);
    health.silent();
    assert.equal(probes(1000, 1), 2000);
  });

  it('is not used while its connection is lost, and tells so after a second', () => {
    const { health, advance } = setUp();
    health.lost();
    assert.deepEqual([health.usable, health.fault], [false, undefined]);
    advance(1000);
    assert.equal(health.fault, 'no_connection');
    health.connected();
    assert.deepEqual([health.usable, health.fault], [true, undefined]);
  });

  it('needs one quick probe when it was silent and its connection was lost', () => {
    const { health } = setUp();
    health.silent();
    health.lost();
    health.connected();
    assert.equal(health.usable, false);
    health.probed(100);
    assert.equal(health.usable, true);
  });

  it('needs more than one quick probe when the new connection is slow as well', () => {
    const { health } = setUp();
    health.silent();
    health.lost();
    health.connected();
    health.probed(180);
    health.probed(100);
    assert.equal(health.usable, false);
  });

  it('is used while it refuses writes, until it has taken them for a while', () => {
    const { health, advance } = setUp();
    health.refused('out_of_memory');
    assert.deepEqual([health.usable, health.refusal], [true, 'out_of_memory']);
    const taken = [];
    for (let n = 0; n < 60; n += 1) {
      // At the edge of its memory it takes a write now and then.
      health.triedWrite(n > 30 || n % 10 !== 0);
      if (health.refusal === undefined) taken.push(n);
      advance(100);
    }
    assert.equal(taken[0], 51);
  });
});
