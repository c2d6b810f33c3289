import type { Shown } from './stub-provider-damage.js';
import type { World } from './stub-provider-world.js';

/** Returns the body of the response to a query about a point. */
export type Api = (here: Shown, query: URLSearchParams, world: World) => object;

/** A path, or its pattern if it contains values, which are moved into the query. */
export interface Route {
  path: string;
  query: URLSearchParams;
}

/** A provider, as the stub provider serves it. */
export interface Stub {
  /** The regular response of each path, as the real service sends it. */
  apis: Record<string, Api>;
  /** Returns the route of an address whose path contains values. */
  routeOf?: (url: URL) => Route | undefined;
  /** Returns the status of a response, if it can be another one than 200. */
  statusOf?: (route: Route, world: World) => number;
}
