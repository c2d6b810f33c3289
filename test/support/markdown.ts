/** What tests read out of Markdown documents. */

/** The contents of every fenced block of a language, in order; those in lists without their indentation. */
export function blocksOf(markdown: string, language: string): string[] {
  const fenced = new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^\\1\`\`\`$`, 'gm');
  return Array.from(markdown.matchAll(fenced), ([, indentation = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  );
}

/** What a reader pastes from its `sh` blocks: a line each, or several that a backslash joins. */
export function commandsOf(markdown: string): string[] {
  return blocksOf(markdown, 'sh')
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The text of a section: from its heading to the next one of the same or a higher level. @throws if it is missing */
export function sectionOf(markdown: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const [, rest] = `\n${markdown}`.split(`\n${heading}\n`);
  if (rest === undefined) throw new Error(`no heading "${heading}"`);
  return rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? '';
}

/** The cells of every row of the tables in a text, without head and rule. */
export function rowsOf(markdown: string): string[][] {
  return [...markdown.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()))
    .filter(([first = '']) => !/^-+$/.test(first))
    .slice(1);
}

/** Every text in backticks. */
export function codeIn(markdown: string): string[] {
  return [...markdown.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
}
