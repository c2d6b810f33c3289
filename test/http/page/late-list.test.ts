import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openPage } from '../../support/page.js';
import { lateReply, searchesOf } from '../../support/page-service.js';

it('a search that is made while the list of the session loads is the first of the list', async (t) => {
  const late = lateReply();
  const page = await openPage(t, '?start', { instead: { 'recent-searches': () => late.reply } });
  await page.searchFor('Oslo, Norway');
  late.send(searchesOf([{ city: 'Lima', country: 'Peru' }]));
  await page.pass(0);
  assert.deepEqual(page.texts('.recent a'), ['Oslo, Norway', 'Lima, Peru']);
});
