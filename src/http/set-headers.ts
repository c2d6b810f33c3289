import type { Context } from 'koa';

/** Sets headers that have one value each. With twenty headers per response, the overhead of `ctx.set` is measurable. */
export function setHeaders({ res }: Context, headers: Record<string, string>): void {
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
}
