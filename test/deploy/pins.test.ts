import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from './compose-file.js';

/** The official dates of each major version, as `YYYY-MM-DD`. */
const SCHEDULE = createRequire(import.meta.url)(
  'node-releases/data/release-schedule/release-schedule.json',
) as Record<string, { lts?: string; end: string } | undefined>;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Images with the version that a file pins; the service's own image is not pinned here. */
function pinsIn(path: string): string[] {
  const found = read(path).matchAll(/^\s*(?:- )?(?:image:|FROM) +(\S+)/gm);
  return [...found]
    .map(([, image = '']) => image)
    .filter((image) => image.includes(':') && !/weather-lookup-service|\$/.test(image));
}

describe('pinned versions', () => {
  const manifests = readdirSync(join(ROOT, 'k8s'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => join('k8s', path));
  const files = ['Dockerfile', 'docker-compose.yml', ...manifests];
  const pinned = files.filter((path) => pinsIn(path).length > 0);

  it('of Node.js in the image is a release with long-term support, before its end', () => {
    const [, major = ''] = /^FROM node:(\d+)\./m.exec(read('Dockerfile')) ?? [];
    const release = SCHEDULE[`v${major}`];
    const today = new Date().toISOString().slice(0, 10);
    assert.ok(release?.lts && release.lts <= today, `Node.js ${major} has no long-term support`);
    assert.ok(today < release.end, `Node.js ${major} ended on ${release.end}`);
  });

  it('are whole: the same file starts the same image tomorrow', () => {
    const pins = pinned.flatMap(pinsIn);
    assert.ok(pins.length >= 8);
    for (const pin of pins) assert.match(pin, /:v?\d+\.\d+\.\d+/);
  });

  it('are known to Dependabot, file by file', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as {
      updates: { 'package-ecosystem': string; directory?: string; directories?: string[] }[];
    };
    const known = updates.flatMap(
      ({ 'package-ecosystem': kind, directory, directories = [directory ?? ''] }) =>
        directories.map((folder) => `${kind} ${folder}`),
    );
    for (const path of pinned) {
      const kind = path === 'docker-compose.yml' ? 'docker-compose' : 'docker';
      const folder = join('/', dirname(path));
      const ways = [`${kind} ${folder}`, `${kind} ${dirname(folder)}/*`];
      assert.ok(
        ways.some((way) => known.includes(way)),
        `nobody updates ${path}`,
      );
    }
  });
});
