import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../deploy/compose-file.js';

/** The namespaces that the tests create, and delete at the end. */
export const NAMESPACES = {
  development: 'weather-development',
  production: 'weather',
  /** The namespace of the ingress controller: the NetworkPolicies accept requests only from here. */
  edge: 'ingress-nginx',
  /** The namespace of the Redis for production. */
  redis: 'weather-redis',
};

const NEEDS = `npm run test:kubernetes needs
- kubectl 1.27 or newer, and openssl
- KUBERNETES_TEST_CONTEXT: a part of the name of the context of a cluster that may be used for this; it makes and
  deletes the namespaces ${Object.values(NAMESPACES).join(', ')}
- in the cluster, the images weather-lookup-service:<version> and weather-lookup-service:last-release; the cluster pulls
  Redis itself
test/kubernetes/kind makes such a cluster by Docker and kind, and runs this.`;

/**
 * The reason why the tests must not use the cluster of kubectl's current context. Undefined: they may.
 * Connects to a cluster only if its name is allowed.
 */
export function whyNotHere(): string | undefined {
  const part = process.env['KUBERNETES_TEST_CONTEXT'] ?? '';
  const say = (why: string) => `${why}\n\n${NEEDS}`;
  if (part === '') return say('KUBERNETES_TEST_CONTEXT is not set.');
  const current = kubectl('config', 'current-context');
  if (current.status !== 0) return say(`kubectl has no current context: ${current.stderr.trim()}`);
  const name = current.stdout.trim();
  if (!name.includes(part)) {
    return say(`The current context is "${name}", and KUBERNETES_TEST_CONTEXT allows "${part}".`);
  }
  const found = kubectl('get', 'namespaces', '--request-timeout=10s', '-o', 'name');
  if (found.status !== 0) return say(`The cluster of "${name}" does not answer: ${found.stderr}`);
  const there = Object.values(NAMESPACES).filter((each) =>
    found.stdout.split('\n').includes(`namespace/${each}`),
  );
  return there.length === 0
    ? undefined
    : say(`These namespaces are there, of another run or not ours: ${there.join(', ')}.`);
}

function kubectl(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { error, status, stdout, stderr } = spawnSync('kubectl', args, { encoding: 'utf8' });
  return error ? { status: 1, stdout: '', stderr: error.message } : { status, stdout, stderr };
}

export interface Output {
  stdout: string;
  /** Warnings, such as those of pod security. */
  stderr: string;
}

/**
 * Runs shell commands in a folder until one fails.
 * @param input for its standard input
 * @throws with the output, the pods that are not ready, and the last warnings of the cluster
 */
export async function sh(lines: string, { cwd = ROOT, input = '' } = {}): Promise<Output> {
  const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
  const running = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines], options);
  running.child.stdin?.end(input);
  try {
    const { stdout, stderr } = await running;
    return { stdout: stdout.trim(), stderr: stderr.trim() };
  } catch (error) {
    const { stdout, stderr } = error as Output;
    throw new Error([lines, stdout, stderr, state()].join('\n'), { cause: error });
  }
}

function state(): string {
  const pods = kubectl('get', 'pods', '--all-namespaces', '-o', 'wide').stdout;
  const events = kubectl(
    ...['get', 'events', '--all-namespaces', '--field-selector=type=Warning'],
    '--sort-by=.lastTimestamp',
  ).stdout.split('\n');
  return [pods, ...events.slice(-20)].join('\n');
}

/** Deletes everything that the tests created. */
export function deleteAll(): void {
  const names = Object.values(NAMESPACES);
  execFileSync('kubectl', ['delete', 'namespace', '--ignore-not-found', ...names]);
}
