/** The widest table, in characters, that Prettier pads: a new word would change every line. */
const MAX_PADDED_WIDTH = 120;
const IGNORE = '<!-- prettier-ignore -->';

/** Returns a Markdown table. */
export function tableOf(header: string[], rows: string[][]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  const lineOf = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const widthOf = (column: number) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0));
  const padded = header.map((_, column) => '-'.repeat(widthOf(column)));
  const isWide = lineOf(padded).length > MAX_PADDED_WIDTH;
  return [...(isWide ? [IGNORE] : []), ...lines.map(lineOf)].join('\n');
}

/** The lines of a Markdown file around the generated text. */
const startOf = (what: string) => `<!-- ${what}: written by \`npm run docs:config\` -->`;
const endOf = (what: string) => `<!-- end of ${what} -->`;

/** Replaces the lines between two comments with `#`, as in YAML, and indents the new lines. */
export function replacedLines(text: string, what: string, lines: string[]): string {
  const [, indentation = ''] = new RegExp(`^( *)# ${what}: written`, 'm').exec(text) ?? [];
  const [before, rest] = split(text, `# ${what}: written by \`npm run docs:config\`\n`);
  const [, after] = split(rest, `${indentation}# end of ${what}\n`);
  const written = [`# ${what}: written by \`npm run docs:config\``, ...lines, `# end of ${what}`];
  return `${before}${written.join(`\n${indentation}`)}\n${after}`;
}

/** Replaces the text between two lines. @throws Error if the Markdown does not have them */
export function replaced(markdown: string, what: string, text: string): string {
  const [before, rest] = split(markdown, startOf(what));
  const [, after] = split(rest, endOf(what));
  return `${before}${startOf(what)}\n\n${text}\n\n${endOf(what)}${after}`;
}

function split(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`the file has no line "${mark}"`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
