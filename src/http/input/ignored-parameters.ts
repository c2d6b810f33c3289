/** Maximum length of the header's value: a client must not make a response too large for the buffers of a proxy. */
const MAX_LENGTH = 200;

/**
 * Returns the header, name and value, that names what a request has and its endpoint does not know, such as `units`: the
 * response is as without it. Empty if every name is known.
 */
export function ignoredHeader(names: string[], known: readonly string[]): string[] {
  let value = '';
  for (const name of names) {
    if (known.includes(name)) continue;
    // A name can contain any character. Encoded as in a query, none is special in a header.
    const encoded = new URLSearchParams({ [name]: '' }).toString().slice(0, -1);
    const longer = value === '' ? encoded : `${value}, ${encoded}`;
    if (longer.length <= MAX_LENGTH) value = longer;
  }
  return value === '' ? [] : ['X-Weather-Ignored-Parameters', value];
}
