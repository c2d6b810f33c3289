import {
  context,
  createTraceState,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type SpanContext,
} from '@opentelemetry/api';
import type { Agent, ClientRequest } from 'node:http';
import { createRequire } from 'node:module';
import type { Fetcher } from '../weather/fetch.js';
import { requestKey } from '../weather/request.js';
import type { TraceParent } from '../weather/trace.js';
import { SERVICE_NAME, SERVICE_VERSION } from './version.js';

/**
 * OpenTelemetry, if somebody has attached its SDK from outside (docs/operations/watch.md). Without one everything here
 * does nothing. Contexts are passed on by hand: a fetch runs for several requests, often in another process.
 */

/** The span of the request that is being served; undefined without an SDK. */
export function activeSpan(): TraceParent | undefined {
  return parentOf(trace.getSpanContext(context.active()));
}

/** Has each fetch run as a span of the trace that it was begun in, and name that in its records. */
export function traced(fetcher: Fetcher): Fetcher {
  // Instrumentation changes a module when it is required. Imports alone would hide the calls of workers, and all over TLS.
  for (const name of ['node:http', 'node:https']) createRequire(import.meta.url)(name);
  return (request, identity, ...others) => {
    const attributes = {
      'weather.key': requestKey(request),
      'weather.fetch_id': identity.fetchId,
    };
    return trace
      .getTracer(SERVICE_NAME, SERVICE_VERSION)
      .startActiveSpan('fetch', { attributes }, contextOf(identity.parent), async (span) => {
        try {
          return await fetcher(
            request,
            { ...identity, parent: parentOf(span.spanContext()) },
            ...others,
          );
        } catch (error) {
          span.recordException(error as Error);
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
  };
}

/**
 * Has requests of an agent sent without the headers that tell of our traces: instrumentation puts them into every
 * request, and they are nobody else's business. An agent gets each request before its headers are written.
 */
export function withoutTraceHeaders<A extends Agent>(agent: A): A {
  const adding = agent as unknown as {
    addRequest(request: ClientRequest, ...others: unknown[]): void;
  };
  const add = adding.addRequest.bind(agent);
  adding.addRequest = (request, ...others) => {
    for (const name of propagation.fields()) request.removeHeader(name);
    add(request, ...others);
  };
  return agent;
}

function parentOf(span: SpanContext | undefined): TraceParent | undefined {
  if (!span || !isSpanContextValid(span)) return undefined;
  const { traceId, spanId, traceFlags, traceState } = span;
  const tracestate = traceState?.serialize();
  const flags = traceFlags.toString(16).padStart(2, '0');
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    ...(tracestate ? { tracestate } : {}),
  };
}

function contextOf(parent: TraceParent | undefined): Context {
  if (!parent) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = parent.traceparent.split('-');
  const { tracestate } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...{ traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true },
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  });
}
