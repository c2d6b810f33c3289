import type { ComponentChildren } from 'preact';
import { nameOf, searchOf, type City } from '../state/queries.js';

interface CityLinkProps {
  city: City;
  go: (city: City) => void;
  /** BCP 47, so that screen readers pronounce the name. */
  lang?: string;
  /** The text of the link, if it is not the whole name. */
  children?: ComponentChildren;
}

/** A link to the weather of a city. A click with a modifier key opens another tab or window. */
export function CityLink({ city, go, lang, children = nameOf(city) }: CityLinkProps) {
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go({ city: city.city, country: city.country });
  };
  return (
    <a href={searchOf(city)} dir="auto" lang={lang} onClick={onClick}>
      {children}
    </a>
  );
}
