/** Reads `Link` headers (RFC 8288). */

export interface Link {
  /** The address as it was sent; usually relative. */
  target: string;
  /** The relation types, in lower case. */
  relations: string[];
  /** `title*`, or `title`; empty if there is neither. */
  title: string;
}

const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const PARAMETER = `;\\s*([\\w!#$&+.^\`|~*-]+)\\s*(?:=\\s*(${QUOTED}|[^\\s;,"]*)\\s*)?`;
const LINK = new RegExp(`<([^>]*)>\\s*((?:${PARAMETER})*)`, 'g');

/** Parses the value of a `Link` header. Parts that are not a link are ignored. */
export function linksIn(header: string): Link[] {
  return [...header.matchAll(LINK)].map(([, target = '', rest = '']) => {
    const parameters = parametersIn(rest);
    const encoded = parameters.get('title*') ?? '';
    return {
      target: target.trim(),
      relations: (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
      title: decodeExtended(encoded) ?? parameters.get('title') ?? '',
    };
  });
}

/** Of parameters with the same name, the first one counts. */
function parametersIn(text: string): Map<string, string> {
  const pairs = [...text.matchAll(new RegExp(PARAMETER, 'g'))].map(
    ([, name = '', value = '']) => [name.toLowerCase(), unquote(value)] as const,
  );
  return new Map(pairs.reverse());
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

/** Decodes a value such as `UTF-8''S%C3%A3o%20Paulo` (RFC 8187). Returns undefined if it is not valid UTF-8. */
function decodeExtended(value: string): string | undefined {
  const [, encoded] = /^UTF-8'[^']*'(.*)$/i.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
