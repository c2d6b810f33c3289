import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fetchedAtHeader } from '../../src/http/public-headers.js';

const HERE = 1_700_000_000_000;

it('X-Accel-Fetched-At is the time of nginx minus the age of the data, in seconds', () => {
  const sent = { 'x-accel-now': '1795000000.750' };
  assert.deepEqual(fetchedAtHeader(sent, 42, 0, HERE), ['X-Accel-Fetched-At', '1794999958']);
  assert.deepEqual(fetchedAtHeader(sent, 42, 250, HERE), ['X-Accel-Fetched-At', '1794999959']);
});

it('a time of nginx that is no Unix time is ignored', () => {
  for (const time of ['', 'now', '-1', '1e9', '1795000000, 1795000000', undefined]) {
    const header = fetchedAtHeader({ 'x-accel-now': time }, 1, 500, HERE);
    assert.deepEqual(header, ['X-Accel-Fetched-At', '1699999999'], time);
  }
});
