import { MissingInputError } from '../../base/errors.js';
import type { RequestGroup } from '../../limits/limiter.js';
import {
  NotOfferedError,
  PlaceNotFoundError,
  ServiceUnavailableError,
} from '../../weather/errors.js';
import { airportCodeIn, instead } from '../../text/not-a-name.js';
import type { RequestLogFields } from '../request-log-fields.js';
import type { RequestState } from '../context.js';
import type { CountRequest } from '../edge/limits.js';
import { BY_NAME, LOCATION_WAYS, type LocationWay } from '../endpoints/location-ways.js';
import { SUGGESTION_PARAMETERS, type Suggester } from '../endpoints/suggestions.js';
import { failureOf } from '../error-answers.js';
import { contextOf, logFieldsOf, logFieldsOfInput, membersOf, type Finder } from '../finder.js';
import { joinNames, unknownNames } from '../input/parameters.js';
import type { Input } from '../input/validate.js';
import { LOCATION_TOOLS, PLACES_TOOL } from './tools.js';

/** The result of a call: a JSON object, or the sentence of an error that a model can act on. */
export type ToolResult = { data: object } | { error: string };

/** A call of a tool: its result, and what is logged about it. */
export interface CompletedCall {
  result: ToolResult;
  /** The status of a response by HTTP with the same result. */
  status: number;
  logFields: RequestLogFields;
  error?: unknown;
}

/** The result of a call that succeeds, and what is logged about it. */
interface Success {
  data: object;
  logFields: RequestLogFields;
}

/** Never throws. */
type ToolCall = (state: RequestState, args: Input) => Promise<CompletedCall>;

export interface CallOptions {
  finder: Finder;
  suggest: Suggester;
  countRequest: CountRequest;
}

const PLACES_CREDIT = {
  text: 'Places from GeoNames, CC BY 4.0, and others',
  url: 'https://www.geonames.org/',
};

/** Follows the sentence of an error about an unknown place. */
const FIND_PLACES = ` The tool ${PLACES_TOOL} finds places with their countries.`;

const LOCATION_ARGUMENTS = LOCATION_WAYS.flatMap(({ parameters }) => parameters);

/** The endpoints know only their own two parameters. */
const INCOMPLETE = new MissingInputError(
  'Missing required arguments',
  'Give both city and country, or, without a city, both lat and lon, or code',
);

/** Creates the calls of the tools, by their names. Each has the data of an endpoint. */
export function createCalls(options: CallOptions): ReadonlyMap<string, ToolCall> {
  const { finder, suggest, countRequest } = options;

  /** Counts a call, and makes its result. @param logFields of a call that is rejected or fails */
  async function complete(
    state: RequestState,
    group: RequestGroup,
    logFields: RequestLogFields,
    ignored: { ignored_arguments?: string },
    find: () => Success | Promise<Success>,
  ): Promise<CompletedCall> {
    try {
      const rejection = await countRequest(state, group, true);
      if (rejection) {
        return { result: { error: rejection.message }, status: rejection.status, logFields };
      }
      const success = await find();
      return { result: { data: success.data }, status: 200, logFields: success.logFields };
    } catch (error) {
      const { status, message } = failureOf(error, '', ignored.ignored_arguments ?? '');
      const isTemporary =
        error instanceof ServiceUnavailableError && !(error instanceof NotOfferedError);
      const wait = isTemporary ? ` Retry in ${error.retryAfterSeconds} seconds.` : '';
      const help = error instanceof PlaceNotFoundError ? FIND_PLACES : '';
      return { result: { error: `${message}${wait}${help}` }, status, logFields, error };
    }
  }

  const calls = new Map<string, ToolCall>();
  for (const [name, endpoint] of Object.entries(LOCATION_TOOLS)) {
    const argumentNames = [...LOCATION_ARGUMENTS, ...Object.keys(endpoint.parameters)];
    calls.set(name, (state, args) => {
      const input = presentIn(args);
      const way = wayOf(input);
      const logFields = logFieldsOfInput(endpoint, way, input);
      const ignored = ignoredOf(args, argumentNames);
      return complete(state, 'weather', logFields, ignored, async () => {
        if (!way.parameters.every((each) => each in input)) throw INCOMPLETE;
        const found = await finder.find(endpoint, way, input, state.scope);
        const { provider } = found.entry;
        const data = {
          ...membersOf(found),
          provider,
          attribution: contextOf(found).credit,
          age_seconds: found.ageSeconds,
          is_stale: found.outcome === 'STALE',
          ...ignored,
        };
        return { data, logFields: logFieldsOf(found) };
      });
    });
  }
  return calls.set(PLACES_TOOL, (state, args) => {
    const logFields = { kind: 'places' };
    const ignored = ignoredOf(args, SUGGESTION_PARAMETERS);
    return complete(state, 'suggestions', logFields, ignored, () => {
      const input = presentIn(args);
      const { places } = suggest(input);
      const hint = hintAbout(String(input['q']), places);
      const data = { places, ...(hint && { hint }), attribution: PLACES_CREDIT, ...ignored };
      return { data, logFields };
    });
  });
}

/** The arguments that a tool does not know, as in the header of a response. */
function ignoredOf(args: Input, knownNames: readonly string[]): { ignored_arguments?: string } {
  const names = joinNames(unknownNames(args, knownNames));
  return names === '' ? {} : { ignored_arguments: names };
}

/** Returns where the code of an airport goes, unless a place has such a name. */
function hintAbout(text: string, places: readonly { city: string }[]): string | undefined {
  const code = airportCodeIn(text);
  if (code === undefined || (code !== text.trim() && places.length > 0)) return undefined;
  const isName = places.some(({ city }) => city.split(',')[0]?.toUpperCase() === code);
  return isName ? undefined : instead(text);
}

/** The arguments whose value is a name. */
const NAMES = new Set(['city', 'country', 'q']);

/**
 * Returns the arguments that are not left out: models also write null or an empty text for that. A
 * name that a model writes as a number, such as a postal code, is the text of that number.
 */
function presentIn(args: Input): Input {
  const present = Object.entries(args).filter(([, value]) => (value ?? '') !== '');
  const read = (name: string, value: unknown) =>
    NAMES.has(name) && typeof value === 'number' ? String(value) : value;
  return Object.fromEntries(present.map(([name, value]) => [name, read(name, value)]));
}

/** Returns how a call names its location: by a city, or else by the last way that it uses. */
function wayOf(input: Input): LocationWay {
  if ('city' in input) return BY_NAME;
  const isNamed = ({ parameters }: LocationWay) => parameters.some((each) => each in input);
  return LOCATION_WAYS.findLast(isNamed) ?? BY_NAME;
}
