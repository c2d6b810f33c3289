import type { Instruments } from '../../base/instruments.js';
import { FetchLimitError } from '../../weather/errors.js';
import type { Answer, KnownQuery } from '../answer.js';
import type { AppContext, Route } from '../context.js';
import { errorAnswer, failureAnswer, HttpError, serviceUnavailable } from '../error-answers.js';
import { readJsonObject } from '../input/json-body.js';
import { joinNames, unknownNames } from '../input/parameters.js';
import { checkQuery, isQueryWithinLimits, parametersOf } from '../input/request-target.js';
import type { Input } from '../input/validate.js';
import type { CountRequest } from './limits.js';
import type { RequestSessions } from './session-cookie.js';

/** Sets the answer to a request whose route is known. @throws if a rejection cannot be counted */
export type Handle = (ctx: AppContext, route: Route, known?: KnownQuery) => Promise<void>;

/** What a route has read of a request so far. The answer to an error also needs it. */
interface RouteInput {
  values: Input;
  ignoredNames: string[];
}

/** A request is shed, because it waited too long before it began. */
const OVERLOADED = serviceUnavailable('The service is overloaded. Please try again later.', 5);

const UNAUTHORIZED = new HttpError(401, 'Unauthorized', 'The key in Authorization is not known', {
  'WWW-Authenticate': 'Bearer',
});

/** Creates the function that answers requests: overload and limits, then session and route. */
export function createHandle(options: {
  countRequest: CountRequest;
  sessions: RequestSessions;
  instruments: Instruments;
}): Handle {
  const { countRequest, sessions, instruments } = options;

  /** Returns the rejection by a limit. @throws HttpError if it is shed, or its key is unknown */
  function rejectionOf(ctx: AppContext, { group, isShed = group !== undefined, isPublic }: Route) {
    if (isShed && ctx.req.isLate) {
      instruments.overloadShed();
      throw OVERLOADED;
    }
    // Routes without limits, such as probes and documents, are open to everybody.
    if (isShed && ctx.state.client === 'unknown') throw UNAUTHORIZED;
    return group && countRequest(ctx.state, group, isPublic === true);
  }

  async function answerTo(
    ctx: AppContext,
    route: Route,
    input: RouteInput,
    known: KnownQuery | undefined,
  ): Promise<Answer> {
    const pending = rejectionOf(ctx, route);
    const rejection = pending instanceof Promise ? await pending : pending;
    if (rejection) {
      return { ...failureAnswer(rejection), logFields: route.logFieldsOf?.(input.values, known) };
    }
    const { session, fields } = route;
    const mustConfirm = session !== undefined && (await sessions.open(ctx, session));
    let answer: Answer | undefined;
    try {
      if (!known) checkQuery(ctx.state.target);
      if (fields) {
        input.values = await readJsonObject(ctx);
        input.ignoredNames.push(...unknownNames(input.values, fields));
      }
      answer = await route.answer(ctx, input.values, known);
      return answer;
    } finally {
      if (session) await sessions.close(ctx, mustConfirm, answer?.search);
    }
  }

  return async (ctx, route, known) => {
    const { state } = ctx;
    const { target } = state;
    state.route = route;
    const { parameters } = route;
    // The limits count a request whose query is too long.
    const isRead = !known && parameters && isQueryWithinLimits(target);
    const query = isRead ? parametersOf(target) : {};
    const ignoredNames = isRead ? unknownNames(query, parameters) : [];
    const input: RouteInput = { values: route.fields ? {} : query, ignoredNames };
    try {
      state.answer = await answerTo(ctx, route, input, known);
    } catch (error) {
      const failed = errorAnswer(error, target.query, joinNames(ignoredNames));
      state.answer = { ...failed, logFields: route.logFieldsOf?.(input.values, known) };
    }
    state.ignored = joinNames(ignoredNames);
    if (state.answer.error instanceof FetchLimitError) await state.rejectFetch?.();
  };
}
