import type { Shown } from './stub-provider-damage.js';
import type { World } from './stub-provider-world.js';

/** What a provider responds with, or what a kind of data is in the responses of the services. */
export interface StubKind {
  /** The bodies of the paths that respond with this kind only. */
  apis?: Record<string, Api>;
  /** The values of a group of Open-Meteo's variables, such as `hourly`, by their names. */
  openMeteo?: Record<string, Group>;
}

/** Returns the body of the response to a query about a point. */
export type Api = (here: Shown, query: URLSearchParams, world: World) => object;

/** Returns the values of a group. `time` and `interval` are always sent, the others if they are requested. */
type Group = (here: Shown, query: URLSearchParams) => Record<string, unknown>;
