import type { Context } from 'koa';

/** Sets headers of one value each. With twenty a response, Koa's `ctx.set` shows in each request. */
export function setHeaders({ res }: Context, headers: Record<string, string>): void {
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
}
