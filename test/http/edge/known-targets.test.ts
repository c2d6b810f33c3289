import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { createKnownTargets } from '../../../src/http/edge/known-targets.js';
import type { ResolvedRequest } from '../../../src/http/location-answers.js';

it('known targets are bounded by their bytes, with those of their answers', () => {
  const targets = createKnownTargets();
  const resolved = { prepared: { answer: { body: 'x'.repeat(1_000_000) } } } as ResolvedRequest;
  const requests = Array.from({ length: 16 }, (_, n) =>
    Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: `/${n}` }),
  );
  for (const each of requests) targets.remember(each, { ...targets.findOrParse(each), resolved });
  const known = requests.filter((each) => targets.findOrParse(each).isKnown);
  assert.deepEqual(
    known.map(({ url }) => url),
    requests.slice(1).map(({ url }) => url),
  );
});
