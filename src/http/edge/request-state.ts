import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { NamedClients } from '../../limits/named-clients.js';
import type { Logger } from '../../process/log.js';
import { readTraceId } from '../../weather/request-scope.js';
import type { Clock } from '../../weather/types.js';
import type { RequestState } from '../context.js';
import { parseTarget } from '../input/request-target.js';
import { clientIp, isSecure, limiterIdentity } from './client-ip.js';

const WELL_FORMED_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** Maximum length of a header, in characters. Some parsers of libraries take quadratic time. */
const MAX_HEADER_LENGTH = 1000;
/**
 * Replaces a header that is too long. Parsers reject this value. An absent header would mean "no
 * condition" or "no key".
 */
const TOO_LONG = '?';
/** Headers that may be longer: cookies and lists of proxies, whose parsers take linear time. */
const LONG_HEADERS = new Set(['cookie', 'x-forwarded-for', 'x-forwarded-proto']);

export interface StateOptions {
  trustedProxies: number;
  /** The clients with a key. Undefined: the header `Authorization` is ignored. */
  clients?: NamedClients | undefined;
  log: Logger;
  clock: Clock;
  timeoutMs: number;
  /** Aborts when the process ends. */
  ending: AbortSignal;
}

/**
 * Creates the function that reads the state of a request, and replaces headers that are too long.
 * If no proxy is trusted, it logs the first request that has passed one.
 */
export function createReadState(options: StateOptions): (request: IncomingMessage) => RequestState {
  const { trustedProxies, clients, log, clock, timeoutMs, ending } = options;
  let isProxyLogged = trustedProxies > 0;

  function logProxy(ip: string): void {
    isProxyLogged = true;
    const hint =
      'if this is a proxy, its clients count as one: set TRUST_PROXY to the number of proxies';
    log.warn({ event: 'proxy_not_trusted', ip, hint });
  }

  return (request) => {
    const { headers, socket, url = '' } = request;
    replaceLongHeaders(headers);
    const { authorization } = headers;
    const clientRequestId = headerText(headers['x-request-id']);
    const forwardedFor = headerText(headers['x-forwarded-for']) || undefined;
    const ip = clientIp(socket.remoteAddress, forwardedFor, trustedProxies);
    if (forwardedFor !== undefined && !isProxyLogged) logProxy(ip);
    return {
      target: parseTarget(url),
      requestId: WELL_FORMED_ID.test(clientRequestId) ? clientRequestId : randomUUID(),
      ip,
      identity: limiterIdentity(ip),
      client:
        authorization === undefined
          ? undefined
          : clients && (clients.find(authorization) ?? 'unknown'),
      secure: isSecure(headerText(headers['x-forwarded-proto']), trustedProxies),
      scope: {
        signal: ending,
        deadline: clock.monotonic() + timeoutMs,
        trace: { traceId: readTraceId(headers['traceparent']) },
      },
      corsHeaders: [],
      ignored: '',
      session: undefined,
      limitHeaders: [],
      rejectedBy: undefined,
      wouldReject: undefined,
    };
  };
}

/** The text of a header; empty if it is absent. Node.js joins the values of these headers. */
function headerText(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}

function replaceLongHeaders(headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    const { length } = headers[name] ?? '';
    if (length > MAX_HEADER_LENGTH && !LONG_HEADERS.has(name)) headers[name] = TOO_LONG;
  }
}
