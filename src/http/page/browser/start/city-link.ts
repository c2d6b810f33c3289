import { nameOf, searchOf, type City } from '../service/queries.js';

/**
 * Creates a link to the weather of a city. A click calls the function, unless it opens another tab or window.
 * @param label the text of the link
 */
export function createCityLink(
  { city, country }: City,
  onClick: (city: City) => void,
  label = nameOf({ city, country }),
) {
  const link = document.createElement('a');
  link.href = searchOf({ city, country });
  link.textContent = label;
  link.dir = 'auto';
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onClick({ city, country });
  });
  return link;
}
