/** The page. It shows the weather of one place at a time, and never the response to an outdated request. */
import { createLoader } from './place/loader.js';
import { createCombobox } from './search/combobox.js';
import { createLocationButton } from './search/location-button.js';
import { createPlaceClient } from './search/place-client.js';
import { createTextSearch } from './search/text-search.js';
import { createLatestRequest } from './service/latest-request.js';
import { nameOf, searchOf, queryIn, type City, type Query } from './service/queries.js';
import { createCityLink } from './start/city-link.js';
import { showExamples } from './start/example-list.js';
import { createRecentList } from './start/recent-list.js';
import { browserClock as clock } from './view/clock.js';
import { element } from './view/elements.js';
import { createPageView } from './view/page-view.js';

const input = element('place') as HTMLInputElement;
const typedText = () => input.value.trim();
const linkTo = (city: City, label?: string) => createCityLink(city, search, label);

const searches = createLatestRequest();
const places = createPlaceClient(clock);
const recent = createRecentList(linkTo);
const combobox = createCombobox({ clock, places, onChoose: search });
const view = createPageView({ clock, linkTo, closeSuggestions: combobox.close });
const loader = createLoader({ view, clock, places, searches, onCity: recent.add });
const textSearch = createTextSearch({ view, clock, places, searches, typedText, onPlace: search });
createLocationButton({ view, searches, onPosition: search });

/** Searches for a place, and changes the address of the page. @param note text to show beside the weather */
function search(place: Query, note = ''): void {
  const query = 'lat' in place ? place : { city: place.city, country: place.country };
  const address = searchOf(query);
  if (address !== location.search) history.pushState(undefined, '', address);
  show(query, note);
}

function show(query: Query, note = ''): void {
  input.value = nameOf(query);
  void loader.load(query, note);
}

/** Shows the weather for the address of the page, so that links, reloads, and the back button work. */
function showAddress(): void {
  const query = queryIn(location.search);
  if (query) {
    show(query);
  } else {
    searches.start();
    view.begin();
    view.clear();
  }
}

element('search').addEventListener('submit', (event) => {
  event.preventDefault();
  void textSearch.submit(typedText());
});
addEventListener('popstate', showAddress);
element('plain').hidden = true;
element('app').hidden = false;
showExamples(linkTo);
showAddress();
void recent.read().then(() => {
  element('app').classList.add('ready');
});
