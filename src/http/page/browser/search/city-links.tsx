import { nameOf, searchOf, type City } from '../state/queries.js';
import { PageLink } from './page-link.js';

interface CityLinksProps {
  /** With the language of its name (BCP 47), if it is not English. */
  cities: readonly (City & { lang?: string })[];
  go: (city: City) => void;
}

/** A list of links to the weather of cities. */
export function CityLinks({ cities, go }: CityLinksProps) {
  return (
    <ul class="links">
      {cities.map((city) => (
        <li key={nameOf(city)}>
          <PageLink
            href={searchOf(city)}
            lang={city.lang}
            onFollow={() => {
              go(city);
            }}
          >
            {nameOf(city)}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
