import { navigate } from '../state/address.js';
import { countryName, t } from '../state/language.js';
import { getState } from '../state/page-state.js';
import { nameOf, queryStringOf } from '../state/queries.js';
import { searchByPosition, searchForText } from '../state/search.js';
import { changeText, closeSuggestions, moveActive } from '../state/suggestion-list.js';

/** The `keyCode` of a key that an input method handles. */
const COMPOSING_KEY = 229;

const suggestionId = (index: number) => `suggestion-${index}`;

/**
 * The field with suggestions: an editable combobox with a list, by the ARIA Authoring Practices
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). The focus stays in the field.
 */
export function SearchForm() {
  const { text, suggestions, active, status } = getState();
  const isOpen = suggestions.length > 0;

  function onKey(event: KeyboardEvent): void {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- see COMPOSING_KEY
    const { keyCode } = event;
    // The input method handles the keys that compose a character. WebKit reports the last by code.
    if (event.isComposing || keyCode === COMPOSING_KEY) {
      if (event.key === 'Enter') event.preventDefault();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const isMoved = moveActive(event.key === 'ArrowDown' ? 1 : -1);
      if (isMoved) event.preventDefault();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (isOpen) closeSuggestions();
      else changeText('');
    }
  }

  function onSubmit(event: Event): void {
    event.preventDefault();
    // Closes the keyboard of a phone.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const chosen = suggestions[active];
    if (chosen) navigate(queryStringOf(chosen.query));
    else void searchForText();
  }

  return (
    <form class="search" role="search" onSubmit={onSubmit}>
      <label for="place">{t.field}</label>
      <div class="row">
        <div class="combobox">
          <input
            id="place"
            type="text"
            role="combobox"
            // Without text, the example has the direction of the page.
            dir={text ? 'auto' : undefined}
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls="suggestions"
            aria-activedescendant={active >= 0 ? suggestionId(active) : undefined}
            aria-describedby="status"
            autocomplete="off"
            autocapitalize="words"
            spellcheck={false}
            enterkeyhint="search"
            maxLength={200}
            placeholder={t.example}
            value={text}
            onInput={(event) => {
              changeText(event.currentTarget.value);
            }}
            onKeyDown={onKey}
            onBlur={() => {
              if (isOpen) closeSuggestions();
            }}
          />
          {/* Over plain HTTP, some browsers have no geolocation. */}
          {'geolocation' in navigator && <LocationButton />}
          <Suggestions />
        </div>
        <button>{t.search}</button>
      </div>
      <p id="status" class="faint" role="status">
        {status}
      </p>
    </form>
  );
}

function LocationButton() {
  const name = t.locate;
  return (
    <button type="button" class="here" aria-label={name} title={name} onClick={searchByPosition}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="6" />
        <path d="M12 2v4M12 18v4M2 12h4M18 12h4M12 12h.1" />
      </svg>
    </button>
  );
}

/** The list of suggestions below the field. */
function Suggestions() {
  const { suggestions: places, active } = getState();
  return (
    <ul id="suggestions" role="listbox" aria-label={t.suggestions} hidden={places.length === 0}>
      {places.map((place, index) => (
        <li
          key={nameOf(place.query)}
          id={suggestionId(index)}
          role="option"
          aria-selected={index === active}
          ref={(option) => {
            if (index === active) option?.scrollIntoView({ block: 'nearest' });
          }}
          // By default, the field loses the focus before the click, which closes the list.
          onPointerDown={(event) => {
            event.preventDefault();
          }}
          onClick={() => {
            navigate(queryStringOf(place.query));
          }}
        >
          <bdi>{place.name}</bdi>{' '}
          <span class="faint">
            {[place.region, countryName(place.countryCode, place.query.country)]
              .filter(Boolean)
              .join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}
