/** Returns the element with an ID. @throws Error if the page has no such element */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

/** Creates an element with a text or children, and optionally a class. */
export function create(
  tag: string,
  content: string | (Node | string)[] = '',
  className = '',
): HTMLElement {
  const created = document.createElement(tag);
  created.append(...(typeof content === 'string' ? [content] : content));
  if (className) created.className = className;
  return created;
}

/** Creates an SVG element. */
export function createSvg(
  tag: string,
  attributes: Record<string, string | number>,
  children: Node[] = [],
): SVGElement {
  const created = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, String(value));
  created.append(...children);
  return created;
}

/** Replaces the items of a list by links. */
export function showLinks(list: HTMLElement, links: HTMLElement[]): void {
  list.replaceChildren(...links.map((link) => create('li', [link])));
}
