import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { placePath } from '../support/places.js';
import { startFleet, type Member } from './fleet.js';
import { RELEASES } from './releases.js';

/** Milliseconds without a heartbeat after which a replica expects no worker. */
const KNOWN_AFTER_MS = 3500;

for (const release of RELEASES) {
  describe(`workers of ${release.name} and of this version on one Redis`, () => {
    it('answer every request, each version alone and both together', async (t) => {
      const fleet = await startFleet(t, release);
      const [old, now] = await Promise.all([fleet.replica('old'), fleet.replica('new')]);
      await sleep(KNOWN_AFTER_MS);
      let place = 300;
      const askBoth = async () => {
        for (const replica of [old, now]) {
          for (let n = 0; n < 3; n += 1) {
            const path = placePath((place += 1));
            const reply = await fleet.ask(path, { client: place, of: [replica] });
            assert.equal(reply.status, 200, reply.summary);
          }
        }
      };
      const worksFor = async (worker: Member) => {
        const before = worker.records.length;
        await eventually(async () => {
          await askBoth();
          return worker.records.length > before;
        }, `a fetch by the worker of the ${worker.version} version`);
      };
      for (const version of ['old', 'new'] as const) {
        const worker = await fleet.worker(version);
        await worksFor(worker);
        await fleet.retire([worker]);
        await askBoth();
      }
      const workers = await Promise.all([fleet.worker('old'), fleet.worker('new')]);
      for (const worker of workers) await worksFor(worker);
      await askBoth();
    });
  });
}
