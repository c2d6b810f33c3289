import { ServiceUnavailableError } from '../../../../src/errors.js';
import type { Cached } from '../../../../src/weather/cache.js';
import { requestKey, type FetchRequest } from '../../../../src/weather/request.js';
import { measureLateness } from '../../../support/lateness.js';
import { scope } from '../../../support/scope.js';
import { REFRESH_AHEAD_MS, type Member } from './member.js';
import { serialIn, type Checker } from './checker.js';

/** Whoever asks has an outcome by then, whatever happens meanwhile. */
export const DEADLINE_MS = 30_000;
/** A waiter that is not disturbed has the end of its fetch by then: the slowest poll, and some. */
const PROMPT_MS = 3000;
/** More lateness of this process than this, and nothing is said about promptness. */
const LATE_MS = 300;
const DEMAND_THRESHOLD = 2;

interface Flight {
  member: Member;
  key: string;
  askedAt: number;
}

/** Asks as the lookup does, one question a key and process at a time, and judges the answers. */
export interface Waiters {
  ask(member: Member, request: FetchRequest, giveUpAfterMs?: number): void;
  /** What was answered so far, by kind. */
  readonly tally: Record<string, number>;
  readonly pending: number;
  /** Judges what can be said only when everything is over. */
  finish(): void;
}

export function createWaiters(checker: Checker): Waiters {
  const flights = new Map<string, Flight>();
  /** How many answers said that they caused each fetch. */
  const causes = new Map<number, number>();
  /** How often each process was given each entry in its last moments. */
  const demand = new Map<string, number>();
  const tally: Record<string, number> = {};
  const lateness = measureLateness();
  const now = () => performance.now();

  async function fly({ member, key, askedAt }: Flight, request: FetchRequest, signal: AbortSignal) {
    const asked = await member.queue.ask(request, scope({ signal }), true);
    // Of a process that died meanwhile nobody reads the end.
    if (asked.kind === 'fetch') asked.end.catch(() => undefined);
    if (member.isDead()) return 'died';
    const here = `${key}: ${member.name}`;
    if (asked.kind === 'none') {
      if (!asked.failure || !asked.stale) {
        checker.violated(`${here} may fetch, and was turned away`);
        return 'none';
      }
      serialOf(asked.stale, key, here);
      return 'stale';
    }
    if (asked.kind === 'entry') {
      const serial = serialOf(asked.entry, key, here);
      const remaining = asked.entry.freshUntil - now();
      const name = `${member.name} ${serial}`;
      if (remaining <= REFRESH_AHEAD_MS) demand.set(name, (demand.get(name) ?? 0) + 1);
      if (demand.get(name) === DEMAND_THRESHOLD) member.queue.refresh(request);
      return 'entry';
    }
    if (asked.stale) serialOf(asked.stale, key, here);
    const waitsSince = now();
    try {
      const { entry, caused } = await asked.end;
      if (member.isDead()) return 'died';
      const serial = serialOf(entry, key, here);
      if (caused) judgeCause(serial, member.name);
      judgePromptness(member, key, waitsSince, serial);
      return caused ? 'caused' : 'coalesced';
    } catch (error) {
      if (member.isDead()) return 'died';
      if (signal.aborted && error === signal.reason) return 'gave up';
      judgeFailure(error, key, askedAt, here);
      return 'failure';
    }
  }

  /** The serial number of the fetch that brought an entry: it must be one, and of this key. */
  function serialOf({ value }: Cached, key: string, here: string): number {
    const serial = serialIn(value.provider);
    const fetched = checker.fetched(serial);
    if (fetched?.key !== key || fetched.outcome !== 'ok') {
      checker.violated(`${here} was given ${JSON.stringify(value)}, which no fetch brought`);
    }
    return serial;
  }

  function judgeFailure(error: unknown, key: string, askedAt: number, here: string): void {
    const message = error instanceof ServiceUnavailableError ? error.message : '';
    const [, of, serial] = /^(.+) #(\d+)$/.exec(message) ?? [];
    const fetched = checker.fetched(Number(serial));
    if (of !== key || fetched?.outcome !== 'failed') {
      checker.violated(`${here} was told a failure of no fetch of its own: ${String(error)}`);
    } else if (askedAt > (checker.failureToldAt(fetched.serial) ?? Infinity)) {
      checker.violated(`${here} was told the failure ${message}, which was over when it asked`);
    }
  }

  /** A `MISS` is a request that began the fetch or ran it: one each at most. */
  function judgeCause(serial: number, member: string): void {
    const { fetchId = '', process } = checker.fetched(serial) ?? {};
    const count = (causes.get(serial) ?? 0) + 1;
    causes.set(serial, count);
    if (count <= 2 && (process === member || checker.began(member, fetchId))) return;
    checker.violated(`#${serial}: run by ${process}; ${member} is the ${count}. that caused it`);
  }

  function judgePromptness(member: Member, key: string, since: number, serial: number): void {
    const told = checker.announced(key, serial);
    if (told === undefined || told < since || member.disturbedUntil > since) return;
    if (checker.disturbedAt(key) > since) return;
    const late = now() - told;
    const ownLateness = lateness.since(told);
    if (late <= PROMPT_MS || ownLateness > LATE_MS) return;
    checker.violated(`${key}: ${member.name} had #${serial} ${Math.round(late)} ms after its end`);
  }

  return {
    tally,
    get pending() {
      return [...flights.values()].filter(({ member }) => !member.isDead()).length;
    },
    ask(member, request, giveUpAfterMs) {
      const key = requestKey(request);
      const name = `${member.name} ${key}`;
      if (flights.has(name)) return;
      const flight: Flight = { member, key, askedAt: now() };
      flights.set(name, flight);
      const caller = new AbortController();
      const end = (what: string) => {
        clearTimeout(givesUp);
        clearTimeout(deadline);
        flights.delete(name);
        tally[what] = (tally[what] ?? 0) + 1;
      };
      const deadline = setTimeout(() => {
        if (!member.isDead()) checker.violated(`${key}: ${member.name} had no answer in time`);
        flights.delete(name);
      }, DEADLINE_MS).unref();
      const givesUp =
        giveUpAfterMs === undefined
          ? undefined
          : setTimeout(() => {
              caller.abort(new Error('the caller has left'));
            }, giveUpAfterMs);
      fly(flight, request, caller.signal).then(
        (what) => {
          end(what);
        },
        (error: unknown) => {
          end('thrown');
          if (member.isDead() || error === caller.signal.reason) return;
          checker.violated(`${key}: ${member.name} threw ${String(error)}`);
        },
      );
    },
    finish() {
      lateness.stop();
    },
  };
}
