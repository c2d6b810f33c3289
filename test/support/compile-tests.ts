import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { writeFile } from '../../tools/build/files.js';
import { withImports } from './test-files.js';

/** The folder of the compiled tests. Node.js finds the packages from there, too. */
const COMPILED = '.cache/tests';

const ENTRIES = join(COMPILED, 'run');

/** Ends the processes that tests have left running, by a hook that must belong to the program. */
const HOOKS = 'test/support/child-processes.ts';

/** The path of a compiled file. @param path of its source, in the repository */
const compiledPath = (path: string): string => join(COMPILED, path.replace(/\.ts$/, '.js'));

/**
 * Compiles files and all files that they import, without checking types. With tsx instead, each
 * test file takes 0.2 s more of CPU time.
 * @param root the folder of the repository
 * @param paths of files in the repository
 */
export function compileTests(root: string, paths: readonly string[]): void {
  const sources = new Set([...paths, HOOKS].flatMap((path) => [...withImports(join(root, path))]));
  for (const source of sources) {
    const text = readFileSync(source, 'utf8');
    const contents = source.endsWith('.ts') ? compile(source, text) : text;
    writeFile(join(root, compiledPath(relative(root, source))), Buffer.from(contents));
  }
}

/**
 * Writes a program for each group of compiled test files. Each file becomes a suite named by its
 * path. Node.js sorts the programs by their paths, which are in the given order.
 * @returns the paths of the programs
 */
export function writePrograms(root: string, groups: readonly (readonly string[])[]): string[] {
  return groups.map((group, index) => {
    const first = group[0]!.replace(/\.ts$/, '').replaceAll('/', '-');
    const name = `${String(index).padStart(4, '0')}-${first}.js`;
    const program = join(ENTRIES, name);
    const pathOf = (path: string) => `./${relative(ENTRIES, compiledPath(path))}`;
    const text = [
      "import { suite } from 'node:test';",
      `import '${pathOf(HOOKS)}';`,
      ...group.map((path) => `suite('${path}', () => import('${pathOf(path)}'));`),
      '',
    ].join('\n');
    writeFile(join(root, program), Buffer.from(text));
    return program;
  });
}

function compile(source: string, text: string): string {
  const { code } = transformSync(text, {
    loader: 'ts',
    target: 'node20.19',
    sourcemap: 'inline',
    // Each program parses the maps of all its files.
    sourcesContent: false,
    sourcefile: source,
    // Tests derive the paths of other files of the repository from their own path.
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(source).href),
      'import.meta.dirname': JSON.stringify(dirname(source)),
    },
  });
  return code;
}
