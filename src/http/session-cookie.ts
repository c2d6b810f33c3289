import type Keygrip from 'keygrip';
import type { Session } from '../weather/searches.js';
import type { SessionCookie } from './context.js';

/** The name of the session's cookie over plain HTTP. */
const COOKIE = 'session';
/** Its name over TLS: no other host of the domain can set a cookie of this name. */
const HOST_COOKIE = `__Host-${COOKIE}`;
/** Each pair of a value and a signature takes an HMAC: of so many of each the first are tried. */
const MAX_TRIED = 4;
/** The session's id, and when the cookie was issued, base 36. Versions before 3.0.0 write the id alone. */
const VALUE = /^([\w-]{1,100})(?:\.([0-9a-z]{1,11}))?$/;

/** The name of a cookie that is issued now. */
export function sessionCookieName(secure: boolean): string {
  return secure ? HOST_COOKIE : COOKIE;
}

/** The value of a session cookie. */
export function sessionCookieValue({ id, issuedAt }: Pick<Session, 'id' | 'issuedAt'>): string {
  return `${id}.${Math.round(issuedAt).toString(36)}`;
}

/**
 * The session cookie of a request. A neighbor on the domain may have set cookies of the same name: of
 * those that we have signed, the newest counts. Over TLS only the name that no neighbor can set is read.
 * @param header all cookies, as the client sent them
 * @param secure whether the request came over TLS
 */
export function readSessionCookie(
  header: string,
  keys: Keygrip,
  secure: boolean,
): SessionCookie | undefined {
  const found = signed(header, sessionCookieName(secure), keys);
  found.sort((a, b) => (b.issuedAt ?? 0) - (a.issuedAt ?? 0));
  return found[0];
}

function signed(header: string, name: string, keys: Keygrip): SessionCookie[] {
  const values = valuesOf(header, name);
  if (values.length === 0) return [];
  const signatures = valuesOf(header, `${name}.sig`);
  return values.flatMap((value) => {
    const [, id, issued] = VALUE.exec(value) ?? [];
    const key = Math.max(
      ...signatures.map((signature) => keys.index(`${name}=${value}`, signature)),
    );
    if (key < 0 || id === undefined) return [];
    const issuedAt = issued === undefined ? undefined : Number.parseInt(issued, 36);
    return [{ id, issuedAt, isOfOldKey: key > 0 }];
  });
}

/** The first values of the cookies of one name. */
function valuesOf(header: string, name: string): string[] {
  const values: string[] = [];
  const begin = `${name}=`;
  if (!header.includes(begin)) return values;
  for (let at = 0; at >= 0 && at < header.length && values.length < MAX_TRIED;) {
    const end = header.indexOf(';', at);
    const pair = header.slice(at, end < 0 ? undefined : end).trim();
    if (pair.startsWith(begin)) values.push(pair.slice(begin.length));
    at = end < 0 ? -1 : end + 1;
  }
  return values;
}
