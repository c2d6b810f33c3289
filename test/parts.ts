import { spawn } from 'node:child_process';

/** One command of many that are run together. */
export interface Part {
  name: string;
  /** As a shell takes it. */
  command: string;
}

export interface Outcome {
  name: string;
  code: number;
  seconds: number;
}

/**
 * Runs one part after the other, whatever comes of them.
 * @param env for all of them, besides this process's own
 */
export async function runInTurn(parts: Part[], env: NodeJS.ProcessEnv): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const part of parts) {
    console.log(`\n== ${part.name}: ${part.command}`);
    outcomes.push(await run(part, env, 'inherit'));
  }
  return outcomes;
}

/** Runs all parts side by side. Of a part that fails its output is shown. */
export function runSideBySide(parts: Part[]): Promise<Outcome[]> {
  return Promise.all(parts.map((part) => run(part, {}, 'pipe')));
}

/**
 * Prints a table of the outcomes.
 * @returns the exit code of them all: 1 when a part failed
 */
export function conclude(outcomes: Outcome[]): number {
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  const lines = outcomes.map(
    ({ name, code, seconds }) =>
      `${code === 0 ? 'ok ' : 'RED'}  ${name.padEnd(width)}  ${String(seconds).padStart(5)} s`,
  );
  console.log(`\n${lines.join('\n')}`);
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
