/** The example places of the first view. */
import type { City } from '../service/queries.js';
import { element, showLinks } from '../view/elements.js';

/** Places in several scripts, each in a language of the place (BCP 47), so that screen readers pronounce it. */
const EXAMPLES: readonly (City & { language: string })[] = [
  { city: '東京', country: '日本', language: 'ja' },
  { city: 'München', country: 'Deutschland', language: 'de' },
  { city: 'القاهرة', country: 'مصر', language: 'ar' },
  { city: 'São Paulo', country: 'Brasil', language: 'pt' },
  { city: 'Nairobi', country: 'Kenya', language: 'sw' },
  { city: 'Reykjavík', country: 'Ísland', language: 'is' },
];

export function showExamples(linkTo: (city: City, label: string) => HTMLElement): void {
  const links = EXAMPLES.map(({ city, country, language }) => {
    const link = linkTo({ city, country }, city);
    link.lang = language;
    return link;
  });
  showLinks(element('example-list'), links);
}
