import type { Reply } from '../support/load.js';
import { stubWeather } from '../support/stub-provider-weather.js';
import { LIMITS, REQUEST_TIMEOUT_MS } from './fleet.js';
import type { Machine } from './machine.js';
import type { Member } from './member.js';

/** A request and its replica. */
export interface Question {
  kind: 'place' | 'city' | 'cold' | 'limited' | 'searches' | 'invalid' | 'live' | 'ready';
  path: string;
  point?: { latitude: number; longitude: number };
  replica: Member;
}

/** Milliseconds within which a request without a fetch has its response, whatever the state of Redis. */
const CACHED_MS = 250;
/** Milliseconds that service, client, and network need in addition, on a machine that is not late. */
const OVERHEAD_MS = 500;
/** The lateness of the machine counts this many times: it may delay one request several times. */
const LATE_FACTOR = 4;

const ALLOWED: Record<Question['kind'], number[]> = {
  place: [200, 503],
  city: [200, 503],
  cold: [200, 503],
  limited: [200, 429, 503],
  searches: [200, 503],
  invalid: [400],
  live: [200],
  ready: [200, 503],
};

/** Checks replies, and counts the admitted requests. */
export interface Judge {
  reply(question: Question, reply: Reply): void;
  /**
   * Until this time a process may count alone. `forgotten`: the windows in Redis are lost.
   */
  limitsDisturbed(until: number, forgotten?: boolean): void;
  readonly tally: Record<string, number>;
}

/** @param violated called with a description of each violated rule */
export function createJudge(machine: Machine, violated: (what: string) => void): Judge {
  const tally: Record<string, number> = {};
  /** The paths of places in the near cache of a replica. */
  const copies = new WeakMap<Member, Set<string>>();
  const admitted: { sent: number; received: number }[] = [];
  const forgottenAt: number[] = [];
  const lastSeen = new Map<Member, number>();
  let disturbedUntil = -Infinity;

  function limited(question: Question, reply: Reply, received: number): void {
    if (reply.status !== 200) return;
    const windowMs = LIMITS.windowSeconds * 1000;
    admitted.push({ sent: received - reply.ms, received });
    // The requests that were certainly counted within one window before this reply.
    const within = admitted.filter(({ sent }) => sent > received - windowMs);
    if (within.length < admitted.length - 1000) admitted.splice(0, 500);
    const since = received - windowMs;
    const times = forgottenAt.filter((at) => at > since).length + 1;
    const alone = [...lastSeen.keys()].filter(
      (replica) =>
        (lastSeen.get(replica) ?? 0) > since &&
        (disturbedUntil > since || replica.wasAloneSince(since)),
    );
    if (within.length <= LIMITS.perIp * (times + alone.length)) return;
    violated(`${within.length} requests passed a limit of ${LIMITS.perIp} (${question.path})`);
  }

  return {
    tally,
    limitsDisturbed(until, forgotten = false) {
      disturbedUntil = Math.max(disturbedUntil, until);
      if (forgotten) forgottenAt.push(performance.now());
    },
    reply(question, reply) {
      const { kind, path, point, replica } = question;
      const received = performance.now();
      lastSeen.set(replica, received);
      const what = `${replica.name} ${path}: ${reply.status || String(reply.error)} ${String(reply.headers['x-cache'] ?? '')}`;
      const outcome = `${kind} ${reply.status} ${String(reply.headers['x-cache'] ?? '')}`.trim();
      tally[outcome] = (tally[outcome] ?? 0) + 1;
      if (reply.status === 0) {
        if (!replica.wasKilled) violated(`no response: ${what}`);
        return;
      }
      if (!ALLOWED[kind].includes(reply.status)) violated(`${what} ${reply.text.slice(0, 200)}`);

      const known = copies.get(replica) ?? new Set();
      copies.set(replica, known);
      const hasCopy = known.has(path);
      if (kind === 'place' || kind === 'city') {
        if (reply.status === 200) known.add(path);
        else if (hasCopy) violated(`${what}, although it has a copy`);
      }
      const isQuick =
        reply.headers['x-cache'] === 'HIT' || !['city', 'cold', 'place', 'limited'].includes(kind);
      const promised = isQuick ? CACHED_MS : REQUEST_TIMEOUT_MS;
      const late = machine.lateSince(received - reply.ms);
      if (reply.ms > promised + OVERHEAD_MS + LATE_FACTOR * late) {
        violated(`${what} after ${Math.round(reply.ms)} ms (machine late by ${Math.round(late)})`);
      }
      if (kind === 'limited') limited(question, reply, received);
      if (reply.status !== 200 || !point) return;
      const { temperature, humidity } = stubWeather(point.latitude, point.longitude);
      const body = Object(reply.json) as Record<string, unknown>;
      if (body['temperature'] !== temperature || body['humidity'] !== humidity) {
        violated(`${what} is not the weather of that place: ${reply.text}`);
      }
    },
  };
}
