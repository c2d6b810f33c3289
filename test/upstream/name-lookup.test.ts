import assert from 'node:assert/strict';
import { ADDRCONFIG } from 'node:dns';
import { once } from 'node:events';
import { connect, createServer, type LookupFunction } from 'node:net';
import { describe, it } from 'node:test';
import { createNameLookup, lookupsIn } from '../../src/upstream/connections.js';
import { nextIteration } from '../support/eventually.js';
import { listenLocally } from '../support/listen-locally.js';
import { client, closeAfterEach, failure, listen, request } from './client-under-test.js';

closeAfterEach();

describe('lookups of names', () => {
  it('wait for each other if they would need more threads than they may use', async () => {
    const asked: string[] = [];
    const ends: Parameters<LookupFunction>[2][] = [];
    const lookup = createNameLookup(2, (name, _options, callback) => {
      asked.push(name);
      ends.push(callback);
    });
    const results: unknown[] = [];
    const names = ['a.example', 'b.example', 'c.example', 'd.example'];
    for (const name of names) lookup(name, {}, (...found) => void results.push(found));
    await nextIteration();
    assert.deepEqual(asked, names.slice(0, 2));
    const failed = new Error('failed');
    ends[1]!(failed, '');
    ends[0]!(null, '192.0.2.1', 4);
    await nextIteration();
    assert.deepEqual(asked, names);
    assert.deepEqual(results, [
      [failed, ''],
      [null, '192.0.2.1', 4],
    ]);
  });

  it('leave at least one lookup to Redis', () => {
    const cases = [
      [4, 1],
      [5, 2],
      [6, 2],
      [7, 3],
      [16, 7],
    ];
    for (const [threads = 0, lookups] of cases) assert.equal(lookupsIn(threads), lookups);
  });
});

describe('a connection', () => {
  it('is opened to a name, with each option of Node.js for its addresses', async (t) => {
    const { port } = new URL(await listenLocally(t, createServer()));
    for (const options of [
      { autoSelectFamily: true },
      { autoSelectFamily: false },
      { family: 4 },
      { family: 4, hints: ADDRCONFIG },
    ]) {
      const lookup = createNameLookup(1);
      const socket = connect({ host: 'localhost', port: Number(port), lookup, ...options });
      await once(socket, 'connect');
      assert.equal(socket.remoteAddress, '127.0.0.1');
      socket.destroy();
    }
  });

  it('is opened by the upstream client, and a failed lookup is a failed connection', async () => {
    const lookup = createNameLookup(1);
    const { url } = await listen();
    url.hostname = 'localhost';
    assert.deepEqual((await client({ lookup }).getJson(request(url))).body, { value: 1 });
    url.hostname = 'no-such-host.invalid';
    const { kind, reason } = await failure(client({ lookup }).getJson(request(url)));
    assert.equal(kind, 'unavailable');
    assert.match(reason, /^connection failed \((?:ENOTFOUND|EAI_AGAIN)\)$/);
  });
});
