/** An element of the page, which has one of each id. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

/** Shows links in a list, instead of those that it had. */
export function showLinks(list: HTMLElement, links: HTMLElement[]): void {
  list.replaceChildren(
    ...links.map((link) => {
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
}
