import { join } from 'node:path';
import { compile } from './code.js';
import { removeOthers, writeFile } from './files.js';
import { noteBuild } from './freshness.js';
import { notices } from './notices.js';
import { make, readCache, recipe, writeCache } from './gazetteer.js';

const GAZETTEER = 'dist/places/gazetteer.bin';
/** The licenses of the gazetteer's data and of the bundled packages. */
const NOTICES = 'dist/THIRD-PARTY-NOTICES.txt';
/** The API description in OpenAPI 2.0 and 3.1. */
const DESCRIPTION = 'dist/apispec.json';
const DESCRIPTION_3 = 'dist/openapi.json';
/** The same as plain text. */
const LLMS = 'dist/llms.txt';
/** The documentation page. */
const DOCS_PAGE = 'dist/docs-page.html';
/** The schemas of the tools for assistants. */
const MCP_TOOLS = 'dist/mcp-tools.json';
/** Outside of `dist`, so that removing `dist` does not remove the cache. */
const CACHE = '.cache';

/** Receives parts of the line that reports the progress. */
type Report = (text: string) => void;

/** Updates `dist`. Files that are current are not written. */
export async function build(root: string, report: Report): Promise<void> {
  const startedAt = Date.now();
  // The gazetteer is made in other threads, and the code is bundled in another process.
  const [files] = await Promise.all([buildCode(root), buildGazetteer(root, report)]);
  const current = new Set([
    ...files,
    ...[GAZETTEER, NOTICES, DESCRIPTION, DESCRIPTION_3, LLMS, DOCS_PAGE, MCP_TOOLS].map((path) =>
      join(root, path),
    ),
  ]);
  removeOthers(join(root, 'dist'), current);
  noteBuild(root, startedAt);
}

/** Updates everything but the gazetteer. @returns the paths of the bundled files */
async function buildCode(root: string): Promise<string[]> {
  const { files, packages } = await compile(root, join(root, 'dist'));
  for (const { path, contents } of files) writeFile(path, contents);
  writeFile(join(root, NOTICES), notices(root, packages));
  // Imported here, because the image builds the gazetteer before it has these sources.
  const { description, description3, llmsText, mcpTools } = await import('../openapi/index.js');
  writeFile(join(root, DESCRIPTION), jsonFile(description));
  writeFile(join(root, DESCRIPTION_3), jsonFile(description3));
  writeFile(join(root, LLMS), Buffer.from(llmsText));
  const { docsPage } = await import('./docs-page.js');
  writeFile(join(root, DOCS_PAGE), Buffer.from(await docsPage(root)));
  writeFile(join(root, MCP_TOOLS), Buffer.from(JSON.stringify(mcpTools)));
  return files.map(({ path }) => path);
}

/** Clients receive the file as it is, and every JSON body ends with a newline. */
const jsonFile = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);

/** Updates the gazetteer in `dist`, from the cache if possible. */
export async function buildGazetteer(root: string, report: Report): Promise<void> {
  const cache = join(root, CACHE);
  const how = recipe(root);
  let bytes = readCache(cache, how.key);
  report(bytes ? 'the gazetteer is unchanged' : 'the gazetteer (once per clone):');
  if (!bytes) {
    bytes = await make(cache, how, (step) => {
      report(` ${step}`);
    });
    writeCache(cache, how.key, bytes);
  }
  writeFile(join(root, GAZETTEER), bytes);
}
