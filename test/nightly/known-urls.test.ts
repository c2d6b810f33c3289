import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { it } from 'node:test';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { residentBytes } from '../support/processes.js';
import { startReplica } from '../support/service.js';

const MANIFEST = readFileSync(new URL('../../k8s/base/api.yaml', import.meta.url), 'utf8');
/** The heap sizes of a replica in the manifests. */
const HEAP_FLAGS = [...MANIFEST.matchAll(/--max-[\w-]+=\d+/g)].join(' ');

const PLACES = 10_000;
const CLIENTS = 16;

const TARGETS = ['forecast/hourly/coordinates', 'forecast/coordinates', 'conditions/coordinates'];

it('known URLs of 10,000 places with large entries fit into the heap of the manifests', async (t) => {
  const service = await startReplica({
    NODE_OPTIONS: HEAP_FLAGS,
    WEATHER_PROVIDERS: 'demo',
    RATE_LIMIT_PER_IP: '0',
    RATE_LIMIT_TOTAL: '0',
  });
  t.after(() => service.stop());
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  t.after(() => {
    agent.destroy();
  });
  const seen = new Set<string>();
  let next = 0;
  const client = async () => {
    while (next < TARGETS.length * PLACES) {
      const n = next++;
      const [, query = ''] = placePath(n % PLACES).split('?');
      const target = TARGETS[Math.floor(n / PLACES)] ?? '';
      const more = target.includes('hourly') ? '&hours=1' : '';
      // The second request is a hit, which makes the URL known, and the third one finds it known.
      for (let request = 0; request < 3; request += 1) {
        const { status } = await attempt(`${service.url}/api/v1/${target}?${query}${more}`, {
          agent,
        });
        seen.add(`${target}: ${status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  assert.deepEqual([...seen].sort(), TARGETS.map((target) => `${target}: 200`).sort());
  assert.equal(service.child.exitCode, null);
  t.diagnostic(`${Math.round(residentBytes(service.pid).highest / 2 ** 20)} MiB`);
});
