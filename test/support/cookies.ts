/** The `Cookie` header that a browser sends after an answer; empty when it set none. */
export function cookieOf({ cookies }: { cookies: string[] }): string {
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** The session ID in a `Cookie` header with a session cookie. */
export function sessionIdOf(cookie: string): string {
  return /session=([^;.]+)/.exec(cookie)?.[1] ?? '';
}
