import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, burst } from '../support/load.js';
import { placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';
import { connectTo } from '../support/use-redis.js';

const PLACES = [1, 2, 3, 4];

describe('SIGTERM of a replica that fetches for itself while the provider hangs', () => {
  it('gives up by signal and tells it: no failure of the provider, and others go on', async (t) => {
    const env = { SHUTDOWN_DELAY_MS: '0', SHUTDOWN_TIMEOUT_MS: '1000' };
    const stack = await startStack(t, { replicas: 2, workers: 0, env });
    const [leaving, staying] = stack.replicas;
    const listener = connectTo(t, stack.redis);
    await listener.psubscribe('*');
    const givenUp = new Set<string>();
    listener.on('pmessage', (_pattern, _channel, text: string) => {
      const [head = '', , entry = ''] = text.split('\n');
      const { key, failure } = JSON.parse(head) as { key?: string; failure?: unknown };
      if (key && failure === undefined && entry === '') givenUp.add(key);
    });

    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang', times: PLACES.length });
    const cut = burst(PLACES.map((n) => leaving!.url + placePath(n)));
    await eventually(() => stack.upstream.count(PATHS.openMeteo) === PLACES.length, 'the calls');
    const waiting = burst(PLACES.map((n) => staying!.url + placePath(n)));
    leaving!.kill('SIGTERM');
    await leaving!.exited;
    await cut;

    assert.deepEqual(leaving!.of('upstream_failed'), []);
    assert.deepEqual(leaving!.of('breaker_open'), []);
    await eventually(() => givenUp.size === PLACES.length, 'the word that they are given up');
    assertOutcomes(await waiting);
    assert.equal(staying!.of('fetch').length, PLACES.length);
  });
});
