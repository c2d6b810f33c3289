/** Parses Markdown documents for tests. */

/** The contents of every fenced block of a language, in order, without the indentation of lists. */
export function blocksOf(markdown: string, language: string): string[] {
  const fenced = new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^\\1\`\`\`$`, 'gm');
  return Array.from(markdown.matchAll(fenced), ([, indentation = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  );
}

/** The commands in the `sh` blocks: one per line. A backslash continues a line. */
export function commandsOf(markdown: string): string[] {
  return blocksOf(markdown, 'sh')
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The text from a heading to the next of the same or a higher level. @throws if it is missing */
export function sectionOf(markdown: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const [, rest] = `\n${markdown}`.split(`\n${heading}\n`);
  if (rest === undefined) throw new Error(`no heading "${heading}"`);
  return rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? '';
}

/** The cells of every row of all tables in a text, without the header of the first. */
export function rowsOf(markdown: string): string[][] {
  return [...markdown.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()))
    .filter(([first = '']) => !/^-+$/.test(first))
    .slice(1);
}

/** All texts in backticks. */
export function codeIn(markdown: string): string[] {
  return [...markdown.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
}
