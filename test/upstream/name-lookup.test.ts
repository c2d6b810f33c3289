import assert from 'node:assert/strict';
import { ADDRCONFIG, type LookupAddress, type LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { connect, createServer, type LookupFunction } from 'node:net';
import { describe, it } from 'node:test';
import { createNameLookup, lookupsIn } from '../../src/upstream/name-lookup.js';
import { nextIteration } from '../support/eventually.js';
import { listenLocally } from '../support/listen-locally.js';
import { manualClock, systemClock } from '../support/manual-clock.js';
import { client, failure, listen, request } from './client-under-test.js';

const V4 = { address: '192.0.2.1', family: 4 };
const V6 = { address: '2001:db8::1', family: 6 };

/** Lookups that the test ends, and what has been asked. */
function heldLookups(concurrency = 8) {
  const asked: [string, LookupOptions][] = [];
  const ends: { found: (addresses: LookupAddress[]) => void; failed: (error: Error) => void }[] =
    [];
  const clock = manualClock();
  const lookup = createNameLookup({
    concurrency,
    clock,
    find: (name, options) => {
      asked.push([name, options]);
      return new Promise((found, failed) => ends.push({ found, failed }));
    },
  });
  return { lookup, asked, ends, clock };
}

/** What a lookup calls back with. */
function ask(lookup: LookupFunction, name: string, options: LookupOptions = { all: true }) {
  return new Promise((resolve, reject) => {
    lookup(name, options, (error, ...found) => {
      if (error) reject(error);
      else resolve(options.all ? found[0] : found);
    });
  });
}

describe('lookups of one name', { timeout: 60_000 }, () => {
  it('are one lookup, and each connection gets the addresses in the form that it needs', async () => {
    const { lookup, asked, ends } = heldLookups();
    const options = { family: 0, hints: ADDRCONFIG };
    const all = ask(lookup, 'host.example', { ...options, all: true });
    const one = ask(lookup, 'host.example', options);
    await nextIteration();
    assert.deepEqual(asked, [['host.example', { ...options, all: true }]]);
    ends[0]!.found([V6, V4]);
    assert.deepEqual(await all, [V6, V4]);
    assert.deepEqual(await one, ['2001:db8::1', 6]);
  });

  it('are separate if they need other addresses', async () => {
    const { lookup, asked, ends } = heldLookups();
    const four = ask(lookup, 'host.example', { family: 4 });
    const six = ask(lookup, 'host.example', { family: 6 });
    await nextIteration();
    assert.deepEqual(
      asked.map(([, { family }]) => family),
      [4, 6],
    );
    ends[0]!.found([V4]);
    ends[1]!.found([V6]);
    assert.deepEqual([await four, await six], [Object.values(V4), Object.values(V6)]);
  });

  it('start only when the one before has ended', async () => {
    const { lookup, asked, ends } = heldLookups();
    const calls = client({ lookup, timeoutMs: 100 });
    const { url } = await listen();
    url.hostname = 'host.example';
    for (let call = 0; call < 3; call += 1) {
      const { reason } = await failure(calls.getJson(request(url)));
      assert.equal(reason, 'no answer within 100 ms');
    }
    assert.equal(asked.length, 1);
    ends[0]!.found([{ address: '127.0.0.1', family: 4 }]);
    await nextIteration();
    assert.deepEqual((await client({ lookup }).getJson(request(url))).body, { value: 1 });
    assert.equal(asked.length, 2);
  });

  it('fail as the lookup failed, and the next one starts anew', async () => {
    const { lookup, asked, ends } = heldLookups();
    for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
      const failing = ask(lookup, 'host.example');
      await nextIteration();
      ends[asked.length - 1]!.failed(Object.assign(new Error('failed'), { code }));
      await assert.rejects(failing, { code });
    }
    assert.equal(asked.length, 2);
  });
});

describe('addresses that were found before', { timeout: 60_000 }, () => {
  async function afterOne() {
    const held = heldLookups();
    const first = ask(held.lookup, 'host.example');
    await nextIteration();
    held.ends[0]!.found([V4]);
    await first;
    return held;
  }

  it('are used while a lookup is slow, or after it has failed', async () => {
    const { lookup, asked, ends } = await afterOne();
    assert.deepEqual(await ask(lookup, 'host.example'), [V4]);
    const failing = ask(lookup, 'host.example');
    ends[1]!.failed(new Error('failed'));
    assert.deepEqual(await failing, [V4]);
    assert.equal(asked.length, 2);
  });

  it('are replaced by those of a lookup that is not slow', async () => {
    const { lookup, ends } = await afterOne();
    const second = ask(lookup, 'host.example');
    await nextIteration();
    ends[1]!.found([V6]);
    assert.deepEqual(await second, [V6]);
  });

  it('are used for an hour, and only for their own name', async () => {
    const { lookup, ends, clock } = await afterOne();
    const failed = Object.assign(new Error('failed'), { code: 'EAI_AGAIN' });
    const other = ask(lookup, 'other.example');
    await nextIteration();
    ends[1]!.failed(failed);
    await assert.rejects(other, { code: 'EAI_AGAIN' });
    clock.advance(3_600_000);
    const last = ask(lookup, 'host.example');
    await nextIteration();
    ends[2]!.failed(failed);
    assert.deepEqual(await last, [V4]);
    clock.advance(1);
    const late = ask(lookup, 'host.example');
    await nextIteration();
    ends[3]!.failed(failed);
    await assert.rejects(late, { code: 'EAI_AGAIN' });
  });
});

describe('lookups of several names', { timeout: 60_000 }, () => {
  it('wait for each other if they would need more threads than they may use', async () => {
    const { lookup, asked, ends } = heldLookups(2);
    const names = ['a.example', 'b.example', 'c.example'];
    const found = names.map((name) => ask(lookup, name));
    await nextIteration();
    assert.deepEqual(
      asked.map(([name]) => name),
      names.slice(0, 2),
    );
    ends[1]!.found([V4]);
    await found[1];
    await nextIteration();
    assert.deepEqual(
      asked.map(([name]) => name),
      names,
    );
    ends[0]!.failed(new Error('failed'));
    ends[2]!.found([V6]);
    await assert.rejects(found[0]!, { message: 'failed' });
    assert.deepEqual(await found[2], [V6]);
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

describe('a connection', { timeout: 60_000 }, () => {
  const real = () => createNameLookup({ concurrency: 1, clock: systemClock });

  it('is opened to a name, with each option of Node.js for its addresses', async (t) => {
    const { port } = new URL(await listenLocally(t, createServer()));
    for (const options of [
      { autoSelectFamily: true },
      { autoSelectFamily: false },
      { family: 4 },
      { family: 4, hints: ADDRCONFIG },
    ]) {
      const socket = connect({ host: 'localhost', port: Number(port), lookup: real(), ...options });
      await once(socket, 'connect');
      assert.equal(socket.remoteAddress, '127.0.0.1');
      socket.destroy();
    }
  });

  it('is opened by the upstream client, and a failed lookup is a failed connection', async () => {
    const { url } = await listen();
    url.hostname = 'localhost';
    assert.deepEqual((await client({ lookup: real() }).getJson(request(url))).body, { value: 1 });
    url.hostname = 'no-such-host.invalid';
    const { kind, reason } = await failure(client({ lookup: real() }).getJson(request(url)));
    assert.equal(kind, 'unavailable');
    assert.match(reason, /^connection failed \((?:ENOTFOUND|EAI_AGAIN)\)$/);
  });
});
