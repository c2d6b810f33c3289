import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { ensureCommand } from '../support/packages.js';
import { startReplica } from '../support/service.js';

const PAGES = ['/apispec.json', '/openapi.json', '/apidocs/'];

describe('documentation of which a file cannot be read once', () => {
  it('comes back without a restart', async (t) => {
    ensureCommand('prlimit', 'util-linux');
    const service = await startReplica({ WEATHER_PROVIDERS: 'demo' });
    t.after(() => service.stop());
    // A process that may open no file takes no connection either: this one is there before.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => {
      agent.destroy();
    });
    // Not by `ask`: the API's description has no 500 for these files.
    const statusOf = async (path: string) => {
      const sent = get(service.url + path, { agent });
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return response.statusCode;
    };
    const mayOpen = (files: number) =>
      execFileSync('prlimit', ['--pid', String(service.pid), `--nofile=${files}:`]);

    assert.equal(await statusOf('/api/v1/health/live'), 200);
    mayOpen(6);
    assert.equal(await statusOf('/apispec.json'), 500);
    mayOpen(1024);
    for (const page of PAGES) assert.equal(await statusOf(page), 200, page);
    const failures = service.records.filter(({ level }) => level === 'ERROR');
    assert.match(JSON.stringify(failures), /EMFILE/);
    assert.equal(failures.length, 1);
  });
});
