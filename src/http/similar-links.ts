import type { SimilarPlace } from '../base/errors.js';
import type { Target } from './input/request-target.js';

/** Maximum length of all links: the headers of a response must fit into the buffers of proxies, which are 4 or 8 KiB. */
const MAX_LENGTH = 1500;
/** Characters that `encodeURIComponent` keeps, but that RFC 8187 encodes. */
const NOT_ATTR_CHAR = /['()*]/g;

/**
 * Returns a `Link` header (RFC 8288) with the relative address of the same request for each place, as far as the links are
 * not too long. It is the GET form of a POST. The name of the place is in `title*` (RFC 8187).
 */
export function similarLinks(target: Target, places: SimilarPlace[]): string {
  const parameters = [...new URLSearchParams(target.query)];
  const others = parameters.filter(([name]) => name !== 'city' && name !== 'country');
  let links = '';
  for (const { city, country } of places) {
    const query = new URLSearchParams([['city', city], ['country', country], ...others]);
    const link = `<?${query.toString()}>; rel="alternate"; title*=UTF-8''${encoded(city)}`;
    const longer = links === '' ? link : `${links}, ${link}`;
    if (longer.length <= MAX_LENGTH) links = longer;
  }
  return links;
}

function encoded(text: string): string {
  const hex = (character: string): string =>
    `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(NOT_ATTR_CHAR, hex);
}
