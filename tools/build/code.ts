import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync, type OutputFile } from 'esbuild';

const PAGE = 'src/http/page/browser';

/**
 * Compiles the service and bundles the web page, without checking types: `npm run types` does that.
 *
 * @param root the folder of the repository
 * @param to the folder for the files
 * @returns the files with their paths; nothing is written
 */
export function compile(root: string, to: string): Pick<OutputFile, 'path' | 'contents'>[] {
  const service = buildSync({
    absWorkingDir: root,
    entryPoints: sources(root),
    outbase: 'src',
    outdir: to,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    write: false,
  });
  const page = buildSync({
    absWorkingDir: join(root, PAGE),
    entryPoints: ['main.ts', 'page.css'],
    outdir: join(to, 'http/page/browser'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const copied = ['index.html', 'icon.svg'].map((name) => ({
    path: join(to, 'http/page/browser', name),
    contents: readFileSync(join(root, PAGE, name)),
  }));
  return [...service.outputFiles, ...page.outputFiles, ...copied];
}

/** Lists the source files of the service: all files in `src` that `tsconfig.json` does not exclude. */
function sources(root: string): string[] {
  const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    exclude: string[];
  };
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('src', path))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .filter((path) => !config.exclude.some((folder) => path.startsWith(`${folder}/`)));
}
