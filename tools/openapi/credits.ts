import { PROVIDERS } from '../../src/config/providers.js';

/** The credit of each provider in Markdown, with links to its source and its license. */
export const CREDITS = PROVIDERS.map(([name, { attribution, terms }]) => {
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
