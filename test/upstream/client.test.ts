import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { manualClock } from '../support/manual-clock.js';
import {
  AGENT,
  JSON_TYPE,
  client,
  closeAfterEach,
  failure,
  listen,
  listenWith,
  request,
} from './client-under-test.js';

closeAfterEach();

describe('a response', () => {
  it('is returned as the schema describes it, with its headers', async () => {
    const seen: Record<string, unknown>[] = [];
    const { url } = await listen((incoming, response) => {
      seen.push(incoming.headers);
      response.writeHead(200, { ...JSON_TYPE, 'x-extra': 'yes' });
      response.end('{"value":1,"more":{"deep":[1]}}');
    });
    const answer = await client().getJson(request(url));
    assert.deepEqual(answer.body, { value: 1 });
    assert.equal(answer.headers.get('x-extra'), 'yes');
    assert.ok(Math.abs(answer.at - Date.now()) < 60_000);
    assert.equal(seen[0]?.['user-agent'], AGENT);
    assert.equal(seen[0]['accept'], 'application/json');
    assert.equal(seen[0]['connection'], 'keep-alive');
  });

  it('is requested uncompressed if the call says so, and may still be compressed', async () => {
    const codings: unknown[] = [];
    const { url } = await listen((incoming, response) => {
      codings.push(incoming.headers['accept-encoding']);
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      response.end(gzipSync('{"value":2}'));
    });
    const calls = client();
    assert.deepEqual((await calls.getJson(request(url))).body, { value: 2 });
    assert.deepEqual((await calls.getJson(request(url, { uncompressed: true }))).body, {
      value: 2,
    });
    assert.deepEqual(codings, ['gzip, deflate, br', 'identity']);
  });

  it('has the time of its Date and Age headers, and of the clock of this process if that differs, but none that differs by more than an hour', async () => {
    const date = 'Sat, 21 Nov 2026 00:36:49 GMT';
    const served = Date.parse(date);
    const ROWS: [headers: OutgoingHttpHeaders, now: number, referenceTimes: number[]][] = [
      [{}, 1_000_000, [1_000_000]],
      [{ date: 'yesterday', age: '30' }, 1_000_000, [1_000_000]],
      [{ date }, served + 3_600_000, [served, served + 3_600_000]],
      [{ date }, served - 3_600_000, [served, served - 3_600_000]],
      [{ date, age: '300' }, served + 3_600_000, [served + 300_000, served + 3_600_000]],
      [{ date, age: '300' }, served + 300_500, [served + 300_000]],
      [{ date, age: '-1' }, served + 59_999, [served]],
      [{ date, age: '1e300' }, served - 59_999, [served]],
      [{ date, age: '9'.repeat(20) }, served + 60_000, [served, served + 60_000]],
    ];
    for (const wrong of [3_600_001, 18_000_000, 220_000_000_000, -3_600_001]) {
      ROWS.push([{ date }, served + wrong, [served + wrong]]);
    }
    for (const [headers, now, referenceTimes] of ROWS) {
      const { url } = await listenWith(200, headers, '{"value":1}');
      const answer = await client({ clock: manualClock(now) }).getJson(request(url));
      assert.deepEqual(answer.referenceTimes, referenceTimes, JSON.stringify(headers));
      // Other times in the response are compared with its own time.
      if (headers.age === undefined && headers.date === date) assert.equal(answer.at, served);
    }
  });

  it('has no data after a 204, or the value that the adapter names for a response without a body', async () => {
    const { url } = await listenWith(204, {}, '');
    assert.equal((await failure(client().getJson(request(url)))).kind, 'no_data');
    const empty = { value: 7 };
    assert.deepEqual((await client().getJson(request(url, { empty }))).body, empty);
    const other = await listenWith(200, {}, '');
    assert.deepEqual((await client().getJson(request(other.url, { empty }))).body, empty);
    assert.equal((await failure(client().getJson(request(other.url)))).kind, 'bad_answer');
  });

  it('logs once a day that the clock of an upstream differs by more than an hour', async () => {
    const clock = manualClock(Date.parse('2026-11-21T12:00:00Z'));
    const { url } = await listenWith(200, { date: 'Sat, 21 Nov 2026 00:36:49 GMT' }, '{"value":1}');
    const records: object[] = [];
    const calls = client({ clock, log: { warn: (record: object) => records.push(record) } });
    const get = (upstream = 'test-upstream') => calls.getJson(request(url, { upstream }));
    await get();
    await get();
    const record = { event: 'clocks_differ', provider: 'test-upstream' };
    const times = {
      provider_time: '2026-11-21T00:36:49.000Z',
      process_time: '2026-11-21T12:00:00.000Z',
    };
    assert.deepEqual(records, [{ ...record, ...times }]);
    await get('other');
    clock.advance(86_399_999);
    await get();
    assert.equal(records.length, 2);
    clock.advance(1);
    await get();
    assert.equal(records.length, 3);
  });
});
