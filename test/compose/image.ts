import type { Engine } from './docker.js';

export const VERSION = '12.34.56';
export const REVISION = '0123456789abcdef0123456789abcdef01234567';

/** The configuration of an image. */
export interface ImageSettings {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  Labels: Record<string, string>;
  ExposedPorts: Record<string, object>;
  Healthcheck: { Test: string[] };
}

/** Builds the Dockerfile. @param options of `docker build` */
export async function buildImage(
  { docker }: Engine,
  tag: string,
  folder: string,
  ...options: string[]
): Promise<ImageSettings> {
  const versions = [`VERSION=${VERSION}`, `REVISION=${REVISION}`];
  const args = versions.flatMap((each) => ['--build-arg', each]);
  await docker('build', ...options, ...args, '--tag', tag, folder);
  const told = await docker('image', 'inspect', '--format', '{{json .Config}}', tag);
  return JSON.parse(told) as ImageSettings;
}

/** Runs a shell command in a new container of an image. @returns its output */
export function runInside({ docker }: Engine, tag: string, command: string): Promise<string> {
  return docker('run', '--rm', '--entrypoint', 'sh', tag, '-c', command);
}
