import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';

/** The official dates of each major version, as `YYYY-MM-DD`. */
const SCHEDULE = createRequire(import.meta.url)(
  'node-releases/data/release-schedule/release-schedule.json',
) as Record<string, { lts?: string; end: string } | undefined>;

describe('Node.js in the image', () => {
  it('is a release with long-term support, half a year or more before its end', () => {
    const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
    const [, major = ''] = /^FROM node:(\d+)\./m.exec(dockerfile) ?? [];
    const release = SCHEDULE[`v${major}`];
    const day = (date: Date) => date.toISOString().slice(0, 10);
    const now = new Date();
    const soon = new Date(now);
    soon.setMonth(soon.getMonth() + 6);
    assert.ok(release?.lts && release.lts <= day(now), `Node.js ${major} has no long-term support`);
    assert.ok(day(soon) < release.end, `Node.js ${major} ends on ${release.end}`);
  });
});
