import { creditIn } from './credit.js';
import { element } from '../view/elements.js';

/** Shows the credit that a provider requires. A credit for invented data is shown as a warning. */
export function showAttribution(id: string, headers: Headers): void {
  const paragraph = element(id);
  const { text, href, rest = '' } = creditIn(headers.get('X-Weather-Attribution') ?? '');
  paragraph.replaceChildren(href ? linkTo(href, text) : text, rest);
  paragraph.classList.toggle('warning', headers.get('X-Weather-Provider') === 'demo');
}

function linkTo(href: string, text: string): HTMLElement {
  const link = document.createElement('a');
  link.href = href;
  link.textContent = text;
  return link;
}
