import { variablesOf, type Variable } from '../variable.js';
import { VARIABLES } from '../variables.js';

/** Where the table stands in a Markdown file: between two comments that nobody sees. */
const START = '<!-- configuration: written by `npm run docs:config` -->';
const END = '<!-- end of configuration -->';
const LINE_LENGTH = 100;

/** The Markdown text with today's table of variables in place of the one that it has. */
export function withTable(markdown: string): string {
  const [before, rest] = split(markdown, START);
  const [, after] = split(rest, END);
  return `${before}${START}\n\n${table()}\n\n${END}${after}`;
}

/** All of `.env.example`. */
export function envExample(): string {
  const head = `\
# Every variable that the service reads, with its default or an example. All lines are commented out, so
# that a copy changes nothing: not here, and not in docker-compose.yml, which has defaults of its own.
# The service does not read this file: pass it on, for example \`node --env-file=.env dist/server.js\`.
# Written by \`npm run docs:config\` from src/config/variables.ts.
`;
  // One paragraph for each group of settings, and one for each setting that stands alone.
  const paragraphs = Object.values(VARIABLES).map((node) =>
    variablesOf({ node }).map(exampleLines).join('\n'),
  );
  return [head, ...paragraphs.map((paragraph) => `${paragraph}\n`)].join('\n');
}

function table(): string {
  const rows = variablesOf(VARIABLES).map(
    ({ name, about }) => `| \`${name}\` | ${defaultInMarkdown(about)} | ${about.meaning} |`,
  );
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function defaultInMarkdown(about: Variable<unknown>['about']): string {
  if (about.defaultInWords !== undefined) return about.defaultInWords;
  if (about.default === undefined) return 'none';
  const standard = `\`${about.default}\``;
  return about.productionDefault === undefined
    ? standard
    : `${standard}, in production \`${about.productionDefault}\``;
}

function exampleLines({ name, about }: Variable<unknown>): string {
  const isFixed = about.productionDefault === undefined && about.defaultInWords === undefined;
  const said = about.default === undefined && about.defaultInWords === undefined;
  const words = isFixed || said ? '' : ` Default: ${defaultInMarkdown(about)}.`;
  const comment = wrapped(`${sentence(about.meaning)}${words}`.replaceAll('`', ''));
  return `${comment}\n# ${name}=${about.example ?? about.default ?? ''}`;
}

/** A word in backticks is somebody's spelling, and keeps it. */
function sentence(meaning: string): string {
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
}

/** Comment lines of at most LINE_LENGTH characters. */
function wrapped(text: string): string {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1) ?? ''} ${word}`;
    if (line.length <= LINE_LENGTH) lines[lines.length - 1] = line;
    else lines.push(`# ${word}`);
  }
  return lines.join('\n');
}

function split(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`the file has no line "${mark}"`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
