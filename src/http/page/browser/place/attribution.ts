import type { Attribution } from '../service/weather-api.js';
import { create, element } from '../view/elements.js';
import { creditIn, type Credit } from './credit.js';

/**
 * Shows the credit that a provider requires. A credit for invented data is shown as a warning.
 * @param attribution of the body; a forecast has it only in its headers
 */
export function showAttribution(
  id: string,
  headers: Headers,
  attribution: Attribution | null = null,
): void {
  const paragraph = element(id);
  const header = headers.get('X-Weather-Attribution');
  const { text, href, rest = '' } = header === null ? fromBody(attribution) : creditIn(header);
  paragraph.replaceChildren(href ? linkTo(href, text) : text, rest);
  paragraph.classList.toggle('warning', headers.get('X-Weather-Provider') === 'demo');
}

function fromBody(attribution: Attribution | null): Credit {
  if (!attribution) return { text: '' };
  const { text, url } = attribution;
  return /^https?:/.test(url ?? '') ? { text, href: url ?? '' } : { text };
}

function linkTo(href: string, text: string): HTMLElement {
  const link = create('a', text) as HTMLAnchorElement;
  link.href = href;
  return link;
}
