/** Returns the element with an ID. @throws Error if the page has no such element */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

/** Replaces the items of a list by links. */
export function showLinks(list: HTMLElement, links: HTMLElement[]): void {
  list.replaceChildren(
    ...links.map((link) => {
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
}
