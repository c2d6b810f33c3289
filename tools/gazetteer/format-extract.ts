/** The members that each extract has before its lists. */
export interface AnyExtract {
  source: string;
  license: string;
}

/** Formats an extract with one line per row, so that changes are easy to review. */
export function formatExtract({ source, license, ...lists }: AnyExtract): string {
  const head = `"source":${JSON.stringify(source)},\n"license":${JSON.stringify(license)}`;
  const texts = Object.entries(lists as Record<string, unknown[]>).map(([name, rows]) => {
    return `"${name}":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`;
  });
  return `{${[head, ...texts].join(',\n')}}\n`;
}
