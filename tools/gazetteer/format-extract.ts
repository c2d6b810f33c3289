/** What each extract says of itself, before the list that it holds. */
export interface AnyExtract {
  source: string;
  license: string;
}

/** The text of an extract's file: one line for each row of its list, so that a change is easy to read. */
export function formatExtract({ source, license, ...lists }: AnyExtract): string {
  const head = `"source":${JSON.stringify(source)},\n"license":${JSON.stringify(license)}`;
  const texts = Object.entries(lists as Record<string, unknown[]>).map(([name, rows]) => {
    return `"${name}":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`;
  });
  return `{${[head, ...texts].join(',\n')}}\n`;
}
