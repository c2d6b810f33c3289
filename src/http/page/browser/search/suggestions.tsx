import type { Place } from '../state/api.js';
import { navigate } from '../state/address.js';
import { searchOf } from '../state/queries.js';
import { withoutRegion } from '../state/suggestions.js';

export const suggestionId = (index: number) => `suggestion-${index}`;

/** The list of suggestions below the field. @param props.active index of the option that Enter chooses; -1: none */
export function Suggestions({ places, active }: { places: Place[]; active: number }) {
  return (
    <ul id="suggestions" role="listbox" aria-label="Suggestions" hidden={places.length === 0}>
      {places.map((place, index) => (
        <li
          key={`${place.city}|${place.country}`}
          id={suggestionId(index)}
          role="option"
          aria-selected={index === active}
          ref={index === active ? scrollTo : null}
          onPointerDown={keepFocus}
          onClick={() => {
            navigate(searchOf(place));
          }}
        >
          <bdi>{withoutRegion(place)}</bdi>{' '}
          <span class="faint">{[place.region, place.country].filter(Boolean).join(', ')}</span>
        </li>
      ))}
    </ul>
  );
}

function scrollTo(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}

/** By default, the field loses the focus before the click, which closes the list. */
function keepFocus(event: Event): void {
  event.preventDefault();
}
