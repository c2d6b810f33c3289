import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { startReplica } from '../support/service.js';

describe('a body that was answered before its end', () => {
  it('does not hold up the end of the process', async (t) => {
    const service = await startReplica({
      ...{ WEATHER_PROVIDERS: 'demo', SHUTDOWN_DELAY_MS: '0', SHUTDOWN_TIMEOUT_MS: '20000' },
    });
    t.after(() => service.stop());
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc');
    const [answer] = (await once(socket, 'data')) as [string];
    assert.match(answer, /^HTTP\/1\.1 404 /);
    const begun = performance.now();
    service.kill('SIGTERM');
    assert.equal(await service.exited, 0);
    // Far from the limit of 20 s: about a second, and more on a busy machine.
    assert.ok(performance.now() - begun < 10_000, `${performance.now() - begun} ms`);
  });
});
