import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertOutcomes, attempt, burst } from '../support/load.js';
import { PATHS } from '../support/stub-provider.js';
import { losesNothing, useComposedStack, SEATTLE } from './compose-stack.js';
import { whyNoEngine } from './engine.js';

/** Short checks of the stack. The other files of this folder take longer. */
describe('docker-compose.yml on a real engine', { skip: whyNoEngine() ?? false }, () => {
  const used = useComposedStack();

  it('responds as soon as the command has ended', async () => {
    const { url, upstream } = used.stack;
    const reply = await attempt(url + SEATTLE);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(upstream.count(PATHS.openMeteo), 1);
  });

  it('calls a provider once for concurrent requests over all replicas', async () => {
    const { url, upstream } = used.stack;
    upstream.reset();
    upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 500 });
    const herd = burst(Array<string>(60).fill(`${url}/api/v1/weather?city=Rome&country=Italy`));
    assertOutcomes(await herd, /^200 (MISS|COALESCED)$/);
    assert.equal(upstream.count(PATHS.openMeteo), 1);
    upstream.reset();
  });

  it('keeps all containers if the command is repeated', async () => {
    const { sh } = used.stack;
    const before = await sh('docker compose ps -q');
    await sh('docker compose up -d --build --wait');
    assert.equal(await sh('docker compose ps -q'), before);
  });

  it('docker stop of a replica costs no request', async (t) => {
    const { containers, engine } = used.stack;
    const [replica = ''] = await containers('api');
    await losesNothing(t, used.stack, () => engine.docker('stop', replica));
  });
});
