import { positionIn } from './position.js';
import { plainText } from './typography.js';

/** A postal code: one or two groups of letters and digits, also after a country's letters. */
const POSTAL_CODE = /^(?!.*[a-z]{5})(?:[a-z]{1,3}[ -])?[a-z\d]{1,8}(?:[ -][a-z\d]{1,6})?$/i;
const HAS_TWO_DIGITS = /\d.*\d/;
/** Several words, of which one has a digit. */
const HAS_NUMBER = /^(?=.*\p{L})(?=.*[ ,]).*\d/u;
/** Codes of airports: three letters (IATA), or four capital letters (ICAO). */
const AIRPORT_CODE = /^(?:[a-z]{3}|[A-Z]{3,4})$/;

/**
 * Returns a sentence that says what to write instead of a position, a postal code, an address, or
 * the code of an airport; undefined for any other text.
 */
export function instead(text: string): string | undefined {
  const trimmed = plainText(text).trim();
  const position = positionIn(trimmed);
  if (position) {
    const { lat, lon } = position;
    return `This is a position. Send it as lat=${lat} and lon=${lon}, without a city.`;
  }
  if (POSTAL_CODE.test(trimmed) && HAS_TWO_DIGITS.test(trimmed)) {
    return 'Postal codes are not known. Write the name of the city.';
  }
  if (HAS_NUMBER.test(trimmed)) {
    return 'Postal codes and addresses are not known. Write only the name of the city.';
  }
  const code = airportCodeIn(trimmed);
  if (code === undefined) return undefined;
  return (
    `This can be the code of an airport. Send it as code=${code}: in the API to …/airport, ` +
    `on the web page in the address /?airport=${code}.`
  );
}

/** Returns the airport code that a text can be, in capital letters; undefined for other texts. */
export function airportCodeIn(text: string): string | undefined {
  const trimmed = plainText(text).trim();
  return AIRPORT_CODE.test(trimmed) ? trimmed.toUpperCase() : undefined;
}
