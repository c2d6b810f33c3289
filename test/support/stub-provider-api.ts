import type { Shown } from './stub-provider-damage.js';
import type { World } from './stub-provider-world.js';

/** Returns the body of the response to a query about a point. */
export type Api = (here: Shown, query: URLSearchParams, world: World) => object;
