import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type OutputFile } from 'esbuild';

const PAGE = 'src/http/page/browser';
/** The Lua scripts for Redis, which `src/redis/client/script.ts` reads. */
const SCRIPTS = 'src/redis/scripts';

/** The package that is bundled: from one file it loads in less than half of the time, and takes less memory. */
const BUNDLED = '@modelcontextprotocol/server';

/** The names of the packages that stay in `node_modules`. */
function packagesBeside(root: string): string[] {
  const file = readFileSync(join(root, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(file) as { dependencies: Record<string, string> };
  return Object.keys(dependencies).filter((name) => name !== BUNDLED);
}

/**
 * Bundles the service and the web page, and copies the files that they read, without checking types: `npm run types` does that. The bundle of the service
 * leaves its packages in `node_modules`. A process starts in less time from a few files than from one file per module.
 *
 * @param root the folder of the repository
 * @param to the folder for the files
 * @returns the files with their paths; nothing is written
 */
export async function compile(
  root: string,
  to: string,
): Promise<Pick<OutputFile, 'path' | 'contents'>[]> {
  const service = await build({
    absWorkingDir: root,
    entryPoints: ['src/server.ts', 'src/worker.ts'],
    outdir: to,
    bundle: true,
    // Both processes share the files of their common code, and the code of a dynamic import is loaded only when needed.
    splitting: true,
    external: packagesBeside(root),
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    write: false,
  });
  const page = await build({
    absWorkingDir: join(root, PAGE),
    entryPoints: ['main.ts', 'page.css'],
    outdir: join(to, 'http/page/browser'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const copied = [
    ...['index.html', 'icon.svg'].map((name) => join(PAGE, name)),
    'src/http/docs/docs.css',
    ...readdirSync(join(root, SCRIPTS)).map((name) => join(SCRIPTS, name)),
  ].map((path) => ({
    path: join(to, relative('src', path)),
    contents: readFileSync(join(root, path)),
  }));
  return [...service.outputFiles, ...page.outputFiles, ...copied];
}
