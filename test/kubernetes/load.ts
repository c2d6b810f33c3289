import assert from 'node:assert/strict';
import { transformSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NAMESPACES, sh } from './cluster.js';

const { edge } = NAMESPACES;
/** Milliseconds during which removed endpoints and the last pod of a rollout may still receive requests. */
const AFTER_MS = 15_000;

interface Tally {
  sent: number;
  ok: number;
  failed: Record<string, number>;
}

/**
 * Starts a pod that sends requests to a Service until the end of the tests.
 * @param image an image with Node.js that the cluster has
 */
export async function startLoad(namespace: string, image: string): Promise<void> {
  const service = `kubectl -n ${namespace} get service weather-api -o jsonpath='{.spec.clusterIP}'`;
  const target = `http://${(await sh(service)).stdout}`;
  const source = readFileSync(join(import.meta.dirname, 'load-program.ts'), 'utf8');
  const { code } = transformSync(source, { loader: 'ts', format: 'esm' });
  const container = {
    ...{ name: 'load', image, args: ['--input-type=module', '--eval', code] },
    env: [{ name: 'TARGET', value: target }],
  };
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'load', namespace: edge } },
    spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, containers: [container] },
  };
  await sh(`kubectl apply -f - && kubectl -n ${edge} wait --for=condition=Ready pod/load`, {
    input: JSON.stringify(pod),
  });
}

async function told(): Promise<Tally> {
  const { stdout } = await sh(`kubectl -n ${edge} logs load --tail=1`);
  return JSON.parse(stdout) as Tally;
}

/** Asserts that every response has status 200 during an event and for a while after it. */
export async function losesNothing(t: TestContext, act: () => Promise<unknown>): Promise<void> {
  const before = await told();
  await act();
  await sleep(AFTER_MS);
  const after = await told();
  t.diagnostic(`${JSON.stringify(before)} to ${JSON.stringify(after)}`);
  assert.deepEqual(after.failed, before.failed);
  assert.ok(after.ok - before.ok > 300, `only ${after.ok - before.ok} requests`);
}

export interface Answer {
  status: number;
  cookie: string;
  body: string;
}

/** Sends one request from the pod of the load to a path of the Service. */
export async function ask(path: string, cookie = ''): Promise<Answer> {
  const program = `
    const [path, cookie] = process.argv.slice(1);
    fetch(process.env.TARGET + path, { headers: { cookie } }).then(async (reply) => {
      const given = reply.headers.getSetCookie().map((each) => each.split(';')[0]).join('; ');
      console.log(JSON.stringify({ status: reply.status, cookie: given, body: await reply.text() }));
    });`;
  const { stdout } = await sh(
    `kubectl -n ${edge} exec load -- node -e "$(cat)" '${path}' '${cookie}'`,
    { input: program },
  );
  return JSON.parse(stdout) as Answer;
}
