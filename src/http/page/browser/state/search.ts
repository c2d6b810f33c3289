/** The search for the text in the field, or for the location of the device. */
import { airportCodeIn, instead } from '../../../../text/not-a-name.js';
import { positionIn } from '../../../../text/position.js';
import { navigate } from './address.js';
import { fetchPlaces, type SuggestedPlace } from './api.js';
import { fill, language, t } from './language.js';
import { getState, setState, type Problem } from './page-state.js';
import { problemOf } from './problem.js';
import { foldName, nameOf, queryStringOf, type Query } from './queries.js';
import { closeSuggestions } from './suggestion-list.js';
import { nextSearch } from './weather.js';

/** Decimals of degrees. Two are about 1 km: enough for weather, and too few to find a house. */
const DECIMALS = 2;

export async function searchForText(): Promise<void> {
  const signal = nextSearch();
  const text = getState().text.trim();
  closeSuggestions(t.searching);
  setState({ movesFocus: true });
  try {
    const result = await findPlace(text, signal);
    if (signal.aborted) return;
    if ('text' in result) showProblem(result);
    else navigate(queryStringOf(result));
  } catch (error) {
    if (!signal.aborted) showProblem(problemOf(error, () => void searchForText()));
  }
}

/** Returns the place that a text means, or what to ask the user. */
async function findPlace(text: string, signal: AbortSignal): Promise<Query | Problem> {
  if (text === '') return { text: t.typeCity };
  const point = positionIn(text);
  if (point) return point;
  const code = airportCodeIn(text);
  const airports = code === undefined ? [] : [{ airport: code }];
  const choices = await fetchPlaces(text, signal);
  const [place] = choices;
  if (!place) {
    // The service asks its geocoder for what the list of places does not have.
    const [, city, country] = /^(.*),(.*)$/.exec(text) ?? [];
    if (city && country !== undefined) return { city: city.trim(), country: country.trim() };
    const unknown = `${fill(t.unknownCity, text)} ${t.addCountry}`;
    return { text: adviceFor(text) ?? unknown, choices: airports };
  }
  const isMeant = await isNameOf(text, place, signal);
  const question = adviceFor(text) ?? fill(t.whichCity, text);
  const cities = choices.map(({ query }) => query);
  return isMeant ? place.query : { text: question, choices: [...airports, ...cities] };
}

/** Returns what to write instead of a postal code, an address, or the code of an airport. */
function adviceFor(text: string): string | undefined {
  const advice = instead(text);
  return advice && language !== 'en' ? t.typeCity : advice;
}

/**
 * Returns whether a text is a complete name of a place: neither the beginning of a name nor the
 * name of its region or country. The service finds only complete names before a comma.
 */
async function isNameOf(text: string, place: SuggestedPlace, signal: AbortSignal) {
  const [name = ''] = text.split(',');
  const [typed, shown] = [foldName(name), foldName(place.name)];
  // After the whole name, there can be only a region or country: "London UK".
  if (typed === shown || typed.startsWith(`${shown} `)) return true;
  const { region, query } = place;
  const city = region ? `${name}, ${region}` : name;
  const places = await fetchPlaces(nameOf({ ...query, city }), signal);
  return places.some((each) => nameOf(each.query) === nameOf(query));
}

/** Shows a message above the place that is shown. */
function showProblem(problem: Problem): void {
  setState({ problem, isLoading: false, status: '' });
}

/** Searches for the location of the device. */
export function searchByPosition(): void {
  const signal = nextSearch();
  closeSuggestions(t.locating);
  navigator.geolocation.getCurrentPosition(
    ({ coords: { latitude, longitude } }) => {
      const point = { lat: latitude.toFixed(DECIMALS), lon: longitude.toFixed(DECIMALS) };
      if (!signal.aborted) navigate(queryStringOf(point));
    },
    ({ code }) => {
      // 1 is PERMISSION_DENIED of GeolocationPositionError.
      const reason = code === 1 ? t.forbidden : t.unknownPosition;
      if (!signal.aborted) showProblem({ text: `${reason} ${t.typeCity}` });
    },
    { timeout: 20_000, maximumAge: 600_000 },
  );
}
