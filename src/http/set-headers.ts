import type { Context } from 'koa';

/** Sets headers that have one value each. With twenty headers per response, the overhead of `ctx.set` is measurable. */
export function setHeaders({ res }: Context, headers: Record<string, string | undefined>): void {
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) res.setHeader(name, value);
  }
}
