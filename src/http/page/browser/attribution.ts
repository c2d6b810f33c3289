import { element } from './elements.js';

/** Shows the credit that a provider requires. A credit for invented data is shown as a warning. */
export function showAttribution(id: string, headers: Headers): void {
  const paragraph = element(id);
  paragraph.replaceChildren(...credit(headers.get('X-Weather-Attribution') ?? ''));
  paragraph.classList.toggle('warning', headers.get('X-Weather-Provider') === 'demo');
}

/** Turns "Text <address>, license" into a link and the rest. */
function credit(text: string): (string | HTMLElement)[] {
  const [, name, href, rest] = /^(.*?) <(https?:\/\/[^<>]+)>(.*)$/.exec(text) ?? [];
  if (!name || !href) return [text];
  const link = document.createElement('a');
  link.href = href;
  link.textContent = name;
  return [link, rest ?? ''];
}
