import { hash } from 'node:crypto';
import type { Location } from '../weather/location.js';

/** The JSON text of a response, and its weak entity tag. */
export interface LocationBody {
  text: string;
  tag: string;
}

/** Writes a JSON body: `location`, then the members about it. */
export function locationBody(location: Location, members: object): LocationBody {
  const text = JSON.stringify({ location, ...members });
  return { text, tag: `W/"${hash('sha1', text, 'base64')}"` };
}
