import type { Instruments } from '../../base/instruments.js';
import type { AppContext } from '../context.js';
import { errorAnswer, HttpError } from '../error-answers.js';
import { ignoredHeader } from '../input/parameters.js';
import { checkQuery, parametersOf, type Target } from '../input/request-target.js';
import type { Route } from '../route.js';
import type { CountRequest } from './limits.js';
import type { Handle } from './routing.js';
import type { RequestSessions } from './session-cookie.js';

/** The answer to a request that is shed, because it waited too long before it began. */
const OVERLOADED = errorAnswer(
  new HttpError(503, 'Service unavailable', 'The service is overloaded. Please try again later.', {
    'Retry-After': '5',
  }),
);

/** Creates the function that answers a request by its route: overload and limits first, then the session and the route. */
export function createHandle(options: {
  countRequest: CountRequest;
  sessions: RequestSessions;
  instruments: Instruments;
}): Handle {
  const { countRequest, sessions, instruments } = options;

  /** Returns the answer to a request that is rejected before its route answers: by overload, or by a limit. */
  function rejectionOf(ctx: AppContext, { group, isShed = group !== undefined, isPublic }: Route) {
    if (isShed && ctx.req.isLate) {
      instruments.overloadShed();
      return OVERLOADED;
    }
    return group && countRequest(ctx.state, group, isPublic === true);
  }

  return async (ctx, route) => {
    const { state } = ctx;
    const { target } = state;
    const pending = rejectionOf(ctx, route);
    const rejection = pending instanceof Promise ? await pending : pending;
    if (rejection) {
      state.answer = { ...rejection, logFields: route.logFieldsOf?.(target) };
      return;
    }
    const { session } = route;
    const mustConfirm = session !== undefined && (await sessions.open(ctx, session));
    if (!target.isKnown) readQuery(target, route);
    state.answer = await route.answer(ctx);
    if (session) await sessions.close(ctx, mustConfirm, state.answer.search);
  };
}

/** Notes which parameters are ignored, after the limits have counted the request. @throws InvalidInputError if the query is too long */
function readQuery(target: Target, { parameters }: Route): void {
  checkQuery(target);
  if (parameters) target.ignored = ignoredHeader(Object.keys(parametersOf(target)), parameters);
}
