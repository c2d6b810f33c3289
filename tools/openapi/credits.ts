import { UPSTREAMS } from '../../src/config/providers.js';

/** The credit of each service in Markdown, with links to its source and its license. */
export const CREDITS = UPSTREAMS.flatMap(([name, { attribution, terms }]) => {
  if (!attribution) return [];
  const { text, url, license } = attribution;
  const source = `[${text}](${url ?? ''})`;
  return { name, credit: license === undefined ? source : `${source} (${linkTo(license)})`, terms };
});

/** Returns the name of a license, with its URL if it is one of Creative Commons: `CC BY 4.0`. */
function linkTo(license: string): string {
  const [, terms, version] = /^CC (BY\S*) (\S+)$/.exec(license) ?? [];
  if (!terms || !version) return license;
  return `[${license}](https://creativecommons.org/licenses/${terms.toLowerCase()}/${version}/)`;
}
