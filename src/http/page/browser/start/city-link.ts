import { nameOf, queryOf, type City } from '../service/questions.js';

/** Creates a link to the weather of a city. A click calls the function, unless it opens another tab or window. */
export function createCityLink({ city, country }: City, onClick: (city: City) => void) {
  const link = document.createElement('a');
  link.href = queryOf({ city, country });
  link.textContent = nameOf({ city, country });
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onClick({ city, country });
  });
  return link;
}
