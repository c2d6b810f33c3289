import assert from 'node:assert/strict';
import { it } from 'node:test';
import { memoize } from '../../src/http/memoize.js';

it('a memoized function is called once, and again only after a failure', async () => {
  const results = [() => Promise.reject(new Error('EMFILE')), () => Promise.resolve('document')];
  let calls = 0;
  const read = memoize(() => results[calls++]!());
  await assert.rejects(read(), /EMFILE/);
  assert.deepEqual(await Promise.all([read(), read()]), ['document', 'document']);
  assert.equal(await read(), 'document');
  assert.equal(calls, 2);
});
