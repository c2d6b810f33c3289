import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { writeFile } from '../../tools/build/files.js';
import { withImports } from './test-files.js';

/** The folder of the compiled tests. Node.js finds the packages from there, too. */
const COMPILED = '.cache/tests';

const ENTRIES = join(COMPILED, 'run');

/** The path of a compiled file. @param path of its source, in the repository */
const compiledPath = (path: string): string => join(COMPILED, path.replace(/\.ts$/, '.js'));

/**
 * Compiles files and all files that they import, without checking types. With tsx instead, each test file takes
 * 0.2 s more of CPU time.
 * @param root the folder of the repository
 * @param paths of files in the repository
 */
export function compileTests(root: string, paths: readonly string[]): void {
  const sources = new Set(paths.flatMap((path) => [...withImports(join(root, path))]));
  for (const source of sources) {
    const text = readFileSync(source, 'utf8');
    const contents = source.endsWith('.ts') ? compile(source, text) : text;
    writeFile(join(root, compiledPath(relative(root, source))), Buffer.from(contents));
  }
}

/**
 * Writes a file for each compiled test file, which imports it. Node.js sorts the files that it runs by their paths, and
 * these paths are in the given order.
 * @returns their paths
 */
export function inThisOrder(root: string, paths: readonly string[]): string[] {
  return paths.map((path, index) => {
    const name = `${String(index).padStart(4, '0')}-${path.replaceAll('/', '-').replace(/\.ts$/, '.js')}`;
    const entry = join(ENTRIES, name);
    const target = relative(ENTRIES, compiledPath(path));
    writeFile(join(root, entry), Buffer.from(`import './${target}';\n`));
    return entry;
  });
}

function compile(source: string, text: string): string {
  const { code } = transformSync(text, {
    loader: 'ts',
    target: 'node20.19',
    sourcemap: 'inline',
    sourcefile: source,
    // Tests derive the paths of other files of the repository from their own path.
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(source).href),
      'import.meta.dirname': JSON.stringify(dirname(source)),
    },
  });
  return code;
}
