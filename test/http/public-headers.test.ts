import assert from 'node:assert/strict';
import { it } from 'node:test';
import { answerOf } from '../../src/http/answer.js';
import { fetchedAtHeader, timeOfNginx } from '../../src/http/public-headers.js';

it('X-Accel-Fetched-At is the time of nginx minus the age of the data, in seconds', () => {
  const now = timeOfNginx({ 'x-accel-now': '1795000000.750' }) ?? 0;
  const answer = answerOf(200, 'application/json', '{}', { Age: '42' });
  assert.deepEqual(fetchedAtHeader(answer, now), ['X-Accel-Fetched-At', '1794999958']);
});

it('a time of nginx that is no Unix time is ignored', () => {
  for (const time of ['', 'now', '-1', '1e9', '1795000000, 1795000000']) {
    assert.equal(timeOfNginx({ 'x-accel-now': time }), undefined, time);
  }
});
