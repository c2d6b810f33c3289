import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { startReplica } from '../support/service.js';

describe('a body that was answered before its end', () => {
  // Far more than the end takes, and less than the limit of the process: only what hangs takes so long.
  it('does not hold up the end of the process', { timeout: 60_000 }, async (t) => {
    const service = await startReplica({
      ...{ WEATHER_PROVIDERS: 'demo', SHUTDOWN_DELAY_MS: '0', SHUTDOWN_TIMEOUT_MS: '200000' },
    });
    t.after(() => service.stop());
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc');
    const [answer] = (await once(socket, 'data')) as [string];
    assert.match(answer, /^HTTP\/1\.1 404 /);
    service.kill('SIGTERM');
    assert.equal(await service.exited, 0);
  });
});
