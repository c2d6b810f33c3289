import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';

const PAGE = 'src/http/page/browser';
/** The oldest browsers of the page, of spring 2022. `docs/clients.md` and the page name them. */
export const OLDEST_BROWSERS = ['chrome100', 'edge100', 'firefox100', 'safari15.4'];
/** The Lua scripts for Redis, which `src/redis/client/script.ts` reads. */
const SCRIPTS = 'src/redis/scripts';

/**
 * The packages that are bundled with what they import. They have hundreds of files, and load in
 * half of the time from one. In the bundle, node-fetch also uses `node:http` without its facade
 * (see below). Packages that operators can instrument, such as ioredis, are not bundled.
 */
// prettier-ignore
const BUNDLED = ['@modelcontextprotocol/server', 'bullmq', 'joi', 'node-fetch', 'rate-limiter-flexible'];
const CREATE_REQUIRE = "process.getBuiltinModule('node:module').createRequire(import.meta.url)";

/** The packages that stay in `node_modules`, and a polyfill that is never loaded. */
function packagesBeside(root: string): string[] {
  const file = readFileSync(join(root, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(file) as { dependencies: Record<string, string> };
  return [
    ...Object.keys(dependencies).filter((name) => !BUNDLED.includes(name)),
    'web-streams-polyfill',
  ];
}

/**
 * Loads `node:http` without the facade that Node.js makes of it for ES modules. The facade reads
 * every export, and with `WebSocket` it loads undici: 14 % of a start, and 17 MB of memory (Node.js
 * 26). @koa/router also has a CommonJS module.
 */
const httpWithoutFacade: Plugin = {
  name: 'http-without-facade',
  setup(bundle) {
    const builtin = (module: string) => `process.getBuiltinModule('${module}')`;
    const virtual = (name: RegExp, contents: string) => {
      const namespace = 'without-facade';
      bundle.onResolve({ filter: name }, ({ path }) => ({
        path: path.replace('node:', ''),
        namespace,
      }));
      bundle.onLoad({ filter: name, namespace }, () => ({ contents }));
    };
    virtual(/^(?:node:)?http$/, `module.exports = ${builtin('node:http')};`);
    virtual(/^@koa\/router$/, `export default ${CREATE_REQUIRE}('@koa/router').default;`);
  },
};

/** Returns the text of a page whose links have the hashes of the files: `page/main-1A2B3C4D.js`. */
function withNames(path: string, files: OutputFile[]): string {
  return files.reduce(
    (html, file) => {
      const name = basename(file.path);
      return html.replace(`page/${name.replace(/-\w{8}\./, '.')}`, `page/${name}`);
    },
    readFileSync(path, 'utf8'),
  );
}

/**
 * Bundles the service and the web page, and copies the files that they read. `npm run types` checks
 * the types. The packages that are not bundled stay in `node_modules`. A process starts in less
 * time from a few files than from one file per module.
 *
 * @param root the folder of the repository
 * @param to the folder for the files
 * @returns the files with their paths, and the folders of the packages in the bundles; nothing is
 *   written
 */
export async function compile(
  root: string,
  to: string,
): Promise<{ files: Pick<OutputFile, 'path' | 'contents'>[]; packages: string[] }> {
  const service = await build({
    absWorkingDir: root,
    entryPoints: ['src/server.ts', 'src/worker.ts'],
    outdir: to,
    bundle: true,
    // Both processes share the files of their common code, and the code of a dynamic import is
    // loaded only when needed.
    splitting: true,
    external: packagesBeside(root),
    plugins: [httpWithoutFacade],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Packages that are CommonJS modules load modules of Node.js by it.
    banner: { js: `const require = ${CREATE_REQUIRE};` },
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
  });
  const page = await build({
    absWorkingDir: join(root, PAGE),
    entryPoints: ['main.tsx', 'page.css', 'icon.svg', 'icon.png'],
    outdir: join(to, 'http/page/browser'),
    bundle: true,
    minify: true,
    // The texts of a language are loaded when they are needed.
    splitting: true,
    // Files of two releases never have the same name.
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    loader: { '.svg': 'copy', '.png': 'copy' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    format: 'esm',
    target: OLDEST_BROWSERS,
    charset: 'utf8',
    metafile: true,
    write: false,
  });
  const index = {
    path: join(to, 'http/page/browser/index.html'),
    contents: Buffer.from(withNames(join(root, PAGE, 'index.html'), page.outputFiles)),
  };
  const copied = [...readdirSync(join(root, SCRIPTS)).map((name) => join(SCRIPTS, name))].map(
    (path) => ({
      path: join(to, relative('src', path)),
      contents: readFileSync(join(root, path)),
    }),
  );
  return {
    files: [...service.outputFiles, ...page.outputFiles, index, ...copied],
    packages: [...new Set([...packagesIn(service.metafile), ...packagesIn(page.metafile)])].sort(),
  };
}

/** Returns the folders of the packages that have code in a bundle, relative to the repository. */
function packagesIn({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => {
      const [, folder = ''] =
        /(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
      return folder === '' || bytesInOutput === 0 ? [] : [folder];
    }),
  );
}
