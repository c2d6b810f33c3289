import { spawn } from 'node:child_process';

/** One of several commands that are run together. */
export interface Part {
  name: string;
  /** A shell command. */
  command: string;
}

export interface Outcome {
  name: string;
  code: number;
  seconds: number;
}

/**
 * Runs all parts, one after the other, even if some fail.
 * @param env variables of the parts, in addition to those of this process
 */
export async function runInOrder(parts: Part[], env: NodeJS.ProcessEnv): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const part of parts) {
    console.log(`\n== ${part.name}: ${part.command}`);
    outcomes.push(await run(part, env, 'inherit'));
  }
  return outcomes;
}

/** Runs all parts at the same time. Prints the output of parts that fail. */
export function runInParallel(parts: Part[]): Promise<Outcome[]> {
  return Promise.all(parts.map((part) => run(part, {}, 'pipe')));
}

/**
 * Prints a table of the outcomes.
 * @returns the exit code: 1 if a part failed
 */
export function conclude(outcomes: Outcome[]): number {
  for (const { name, code, seconds } of outcomes) {
    console.log(`${code === 0 ? 'ok ' : 'RED'}  ${name}: ${seconds} s`);
  }
  return outcomes.every(({ code }) => code === 0) ? 0 : 1;
}

function run(
  { name, command }: Part,
  env: NodeJS.ProcessEnv,
  stdio: 'inherit' | 'pipe',
): Promise<Outcome> {
  const started = performance.now();
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', stdio, stdio],
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return new Promise((resolve) => {
    child.once('close', (code) => {
      if (code !== 0 && output !== '') console.log(`\n== ${name}: ${command}\n${output}`);
      resolve({ name, code: code ?? 1, seconds: Math.round((performance.now() - started) / 1000) });
    });
  });
}
