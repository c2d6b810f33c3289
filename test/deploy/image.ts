import { join } from 'node:path';
import { buildah, ensureBase, ROOT, run } from './base-image.js';

/** Of every file in the image, as a release sets it to that of its commit. */
const TIMESTAMP = '1700000000';
export const VERSION = '12.34.56';
export const REVISION = '0123456789abcdef0123456789abcdef01234567';

/** What an image says about how it is run. */
export interface ImageSettings {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Labels: Record<string, string>;
  ExposedPorts: Record<string, object>;
  Healthcheck: { Test: string[] };
}

export interface Image {
  settings: ImageSettings;
  /** The digests of its layers. */
  layers: string[];
}

export interface MountedImage extends Image {
  /** The image's files, on this machine. */
  root: string;
  /** What the image adds to its base, in bytes. */
  ownBytes: number;
  remove(): void;
}

/** Builds the Dockerfile with buildah, which needs no engine, from the files that are here. */
export function buildImage(tag: string): Image {
  ensureBase();
  // By default buildah raises the limits, which root may not in every container.
  const options =
    '--quiet --isolation chroot --format docker --pull-never --no-cache ' +
    `--ulimit nofile=4096:4096 --ulimit nproc=4096:4096 --timestamp ${TIMESTAMP} ` +
    `--build-arg VERSION=${VERSION} --build-arg REVISION=${REVISION}`;
  buildah('bud', ...options.split(' '), '--tag', tag, ROOT);
  const { Docker, OCIv1 } = JSON.parse(buildah('inspect', '--type', 'image', tag)) as {
    Docker: { config: ImageSettings };
    OCIv1: { rootfs: { diff_ids: string[] } };
  };
  return { settings: Docker.config, layers: OCIv1.rootfs.diff_ids };
}

export function removeImage(tag: string): void {
  buildah('rmi', tag);
}

/** Builds the image and gives its files. */
export function mountImage(tag: string): MountedImage {
  const image = buildImage(tag);
  const container = buildah('from', '--pull-never', tag);
  const root = buildah('mount', container);
  return {
    ...image,
    root,
    ownBytes: Number(run('du', '-sb', join(root, 'app')).split('\t')[0]),
    remove() {
      buildah('umount', container);
      buildah('rm', container);
      removeImage(tag);
    },
  };
}
