import { emptyAnswer, type Answer } from '../answer.js';
import type { AppContext } from '../context.js';
import { HttpError, pathNotFound } from '../error-answers.js';
import { checkQuery } from '../input/request-target.js';
import type { Route } from '../route.js';

/** Creates the function that finds the route of a request. A path with a trailing slash, or in another case, is a different path. */
export function createRouting(routes: readonly Route[]) {
  /** By path, and then by method. */
  const paths = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const offered = route.method === 'get' ? ['HEAD', 'GET'] : [route.method.toUpperCase()];
    for (const path of route.paths) {
      const methods = paths.get(path) ?? new Map<string, Route>();
      for (const method of offered) methods.set(method, route);
      paths.set(path, methods);
    }
  }

  /**
   * Finds the route of a request, or the answer to a request without a route: 204 to OPTIONS on a known path.
   * @throws HttpError 400 if the target is neither a path nor a URL, which Node.js accepts; 404 for an unknown path; 405 with
   *   `Allow` for a method that a known path does not have
   * @throws InvalidInputError if there is no route, and the query is too long
   */
  return ({ method, state: { target } }: AppContext): Route | Answer => {
    if (target.route) return target.route;
    if (!target.isValid) {
      throw new HttpError(400, 'Bad request', 'The request target must be a path or a valid URL');
    }
    const methods = paths.get(target.path);
    const route = methods?.get(method);
    if (route) return (target.route = route);
    checkQuery(target);
    if (!methods) throw pathNotFound();
    const allow = { Allow: [...methods.keys(), 'OPTIONS'].join(', ') };
    if (method === 'OPTIONS') return emptyAnswer(204, allow);
    throw new HttpError(405, 'Method not allowed', `This resource offers ${allow.Allow}`, allow);
  };
}
