import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, it } from 'node:test';
import { copyCheckout } from './docker.js';
import { startEngine, whyNoEngine } from './engine.js';
import { buildImage, runInside } from './image.js';

describe('two builds of one commit', { skip: whyNoEngine() ?? false }, () => {
  it('have the same files with the same bytes', async (t) => {
    const engine = await startEngine();
    t.after(() => engine.stop());
    // No file of the checkout changes between the two builds.
    const checkout = copyCheckout();
    t.after(() => {
      rmSync(checkout, { recursive: true });
    });
    // BuildKit sets one time for all files (`rewrite-timestamp`), so that the layers are equal, too.
    const sum = 'tar --sort=name --mtime=@0 -C / -c app usr/local | sha256sum';
    const sums: string[] = [];
    for (const name of ['one', 'two']) {
      const tag = `localhost/weather-lookup-service:${name}`;
      await buildImage(engine, tag, checkout, '--no-cache');
      sums.push(await runInside(engine, tag, sum));
      await engine.docker('rmi', tag);
    }
    assert.equal(sums[1], sums[0]);
  });
});
