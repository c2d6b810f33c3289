import type { IncomingMessage } from 'node:http';

/**
 * Maximum number of requests that begin per event loop iteration: about 5 ms, for which probes
 * wait. Fewer: more Redis commands, because those of one iteration are sent together.
 */
const REQUESTS_PER_ITERATION = 64;
/** The same after an iteration with a new connection, because others may wait to be accepted. */
const REQUESTS_WHILE_ACCEPTING = 8;
/** Probes that begin first in an event loop iteration. A flood must not stop other requests. */
const PROBES_PER_ITERATION = 8;
/** Milliseconds of CPU time after which a request that still waits is late. */
const MAX_WAIT_CPU_MS = 500;
/**
 * Late requests that begin per iteration, as a fraction of the others. Larger: under overload,
 * fewer useful responses, because shedding costs nearly as much as a hit. Smaller: they are shed
 * later.
 */
const LATE_FRACTION = 0.5;

declare module 'http' {
  interface IncomingMessage {
    /** Whether the request waited too long before it began. Such a request is shed. */
    isLate?: boolean;
  }
}

interface WaitingRequest {
  request: Pick<IncomingMessage, 'isLate'>;
  begin: () => void;
  /** `workMs` when the request was received. */
  receivedAtMs: number;
}

/**
 * Creates the queue of received requests. Only a few begin per event loop iteration, so that
 * Node.js accepts new connections meanwhile; probes begin first. The wait is measured in CPU time:
 * while the process is stopped, no request becomes late. No request waits for late ones.
 */
export function createRequestQueue() {
  const waiting: WaitingRequest[] = [];
  /** The requests that are late, taken from `waiting`. */
  const late: WaitingRequest[] = [];
  const probes: (() => void)[] = [];
  let isAccepting = false;
  /** CPU milliseconds, added up only while requests wait: a query of it costs 2 % of a hit. */
  let workMs = 0;
  /** CPU time of the process after the last iteration. Undefined: no request waited then. */
  let lastCpuMs: number | undefined;

  const isEmpty = () => waiting.length + late.length + probes.length === 0;

  function moveLate(): void {
    const oldestMs = workMs - MAX_WAIT_CPU_MS;
    const firstInTime = waiting.findIndex(({ receivedAtMs }) => receivedAtMs >= oldestMs);
    const count = firstInTime < 0 ? waiting.length : firstInTime;
    for (const each of waiting.splice(0, count)) {
      each.request.isLate = true;
      late.push(each);
    }
  }

  function beginSome(): void {
    for (const begin of probes.splice(0, PROBES_PER_ITERATION)) begin();
    const count = isAccepting ? REQUESTS_WHILE_ACCEPTING : REQUESTS_PER_ITERATION;
    isAccepting = false;
    moveLate();
    const inTime = waiting.splice(0, count);
    for (const { begin } of late.splice(0, count * LATE_FRACTION)) begin();
    for (const { begin } of inTime) begin();
    if (isEmpty()) {
      lastCpuMs = undefined;
      return;
    }
    const cpuMs = cpuTimeMs();
    workMs += cpuMs - (lastCpuMs ?? cpuMs);
    lastCpuMs = cpuMs;
    setImmediate(beginSome);
  }

  return {
    /** Adds a request, and marks it if it becomes late. `begin` must not throw. */
    add(request: Pick<IncomingMessage, 'isLate'>, begin: () => void): void {
      if (isEmpty()) setImmediate(beginSome);
      waiting.push({ request, begin, receivedAtMs: workMs });
    },
    /** Adds a probe, which is never late. `begin` must not throw. */
    addProbe(begin: () => void): void {
      if (isEmpty()) setImmediate(beginSome);
      probes.push(begin);
    },
    connectionAccepted: () => void (isAccepting = true),
  };
}

function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
