import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../support/conformance.js';
import { ask } from '../support/http-client.js';

const fixture = useService();

describe('/.well-known/security.txt', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;

  it('has the contact and the policy, and expires within a year', async () => {
    const { status, headers, text } = await ask(`${fixture.url}/.well-known/security.txt`);
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
    const lines = text.trimEnd().split('\n');
    const fields = new Map(lines.map((line) => line.split(/: (.*)/) as [string, string]));
    assert.equal(new URL(fields.get('Contact') ?? '').protocol, 'https:');
    assert.match(fields.get('Expires') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    const daysLeft = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / DAY_MS;
    assert.ok(daysLeft > 30 && daysLeft < 365, String(daysLeft));
    assert.match(fields.get('Policy') ?? '', /\/SECURITY\.md$/);
  });
});
