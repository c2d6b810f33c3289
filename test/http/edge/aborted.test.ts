import assert from 'node:assert/strict';
import { get } from 'node:http';
import { it } from 'node:test';
import type { AppContext } from '../../../src/http/context.js';
import type { Answer } from '../../../src/http/answer.js';
import { appOf } from '../../support/edge.js';
import { eventually } from '../../support/eventually.js';
import { listenLocally } from '../../support/listen-locally.js';
import { recordingLog } from '../../support/records.js';

it('a request whose client is gone when it fails has one record at INFO, with aborted', async (t) => {
  const { log, records } = recordingLog();
  let context: AppContext | undefined;
  let fail: ((error: Error) => void) | undefined;
  const answer = (ctx: AppContext) => {
    context = ctx;
    return new Promise<Answer>((_, reject) => (fail = reject));
  };
  const app = appOf([{ method: 'get', paths: ['/failing'], answer }], { log });
  const url = await listenLocally(t, app.callback());
  const request = get(`${url}/failing`).on('error', () => undefined);
  await eventually(() => context !== undefined, 'the request');
  request.destroy();
  await eventually(() => context!.req.socket.destroyed, 'the end of the connection');
  fail?.(new Error('any fault'));
  await eventually(() => records.length > 0, 'a record');
  assert.deepEqual(
    records.map(({ level, event, status, aborted }) => [level, event, status, aborted]),
    [[30, 'request', 500, true]],
  );
});
