import { randomUUID } from 'node:crypto';
import { ifUnavailable } from '../errors.js';
import {
  BREAKER_POLICY,
  type Admission,
  type Breakers,
  type LocalCircuits,
  type Transition,
} from '../upstream/breakers.js';
import type { Budget, Budgets, LocalBudgets } from '../upstream/budgets.js';
import { breakerScript } from './breaker-script.js';
import type { RedisStore, Script } from './client/store.js';

type Event = 'acquire' | 'look' | 'left' | 'succeeded' | 'failed' | 'abandoned';

/** A breaker that nobody asks about for so long after its last change is forgotten. */
const KEEP_MS = 86_400_000;
/** What the script says to a question with the permission. */
const SPOTLESS = 0;
const PROBE = 1;
/** Begins the id of a call that this process alone has counted. */
const LOCAL_CALL = 'local-';
const TRANSITIONS: Transition[] = [undefined, 'opened', 'closed'];
const CHANGES = [undefined, 'spent', 'free'] as const;

export interface RedisBreakersOptions {
  store: Pick<RedisStore, 'script'>;
  /** What this process knows: it decides while Redis is unavailable or takes no writes. */
  circuits: LocalCircuits;
  /** This process's share of the budgets, for as long. */
  share: LocalBudgets;
  budgets: Budgets;
  /** The longest that a call may take, in milliseconds: then its process counts as killed. */
  callMs: number;
}

/** One budget, as this process holds it. */
interface Shared {
  budget: Budget;
  keys: string[];
  script: Script;
}

/** Breakers and budgets that all processes share, by Redis's clock. */
export function createRedisBreakers(options: RedisBreakersOptions): Breakers {
  const { store, circuits, share, budgets, callMs } = options;
  const { failuresToOpen, firstOpenMs, maxOpenMs, probeMs } = BREAKER_POLICY;
  const policy = [failuresToOpen, firstOpenMs, maxOpenMs, probeMs, KEEP_MS];
  const plain = store.script('weatherBreaker', breakerScript(undefined));
  /** By the budget's name: upstreams may share one. */
  const shared = new Map<string, Shared>();
  /**
   * Upstreams whose last report Redis did not take. A read-only Redis still admits everyone to
   * them. What this process knows decides too until a report gets through.
   */
  const unreported = new Set<string>();
  /**
   * Upstreams without a failure, as far as this process knows: there a success changes nothing, and
   * is not reported, unless the end of its call is.
   */
  const spotless = new Set<string>();

  for (const budget of budgets.values()) {
    if (!shared.has(budget.name)) shared.set(budget.name, hold(budget));
  }

  function hold(budget: Budget): Shared {
    const keyOf = (what: string | number) => `weather:budget:{${budget.name}}:${what}`;
    const keys = ['calls', 'spent', ...budget.windows.map(({ windowSeconds }) => windowSeconds)];
    const script = store.script(`weatherBreaker:${budget.name}`, breakerScript(budget));
    return { budget, keys: keys.map(keyOf), script };
  }

  function sharedOf(name: string): Shared | undefined {
    return shared.get(budgets.get(name)?.name ?? '');
  }

  /** Undefined while Redis is unavailable. */
  async function tell(
    name: string,
    event: Event,
    { waitMs, call = '' }: { waitMs?: number | undefined; call?: string | undefined } = {},
  ): Promise<number[] | undefined> {
    const held = sharedOf(name);
    // In a cluster all keys of a script lie on one node: braces name it.
    const tag = held?.budget.name ?? name;
    const breaker = `weather:breaker:{${tag}}${tag === name ? '' : `:${name}`}`;
    const args = [event, waitMs === undefined ? -1 : Math.ceil(waitMs), call, callMs, ...policy];
    const reply = (held?.script ?? plain)([breaker, ...(held?.keys ?? [])], args);
    return ifUnavailable(reply as Promise<number[]>, undefined);
  }

  async function acquireOnce(name: string, held: Shared | undefined): Promise<Admission> {
    const call = held ? randomUUID() : undefined;
    const answer = await tell(name, 'acquire', { call });
    const [verdict, value, change = 0, counted] = answer ?? [];
    if (verdict === 1 && value === SPOTLESS) spotless.add(name);
    else spotless.delete(name);
    if (!answer || (verdict === 1 && counted !== 1)) return acquireLocally(name, held);
    const admission = toAdmission(answer, call);
    const told = CHANGES[change];
    if (held && told) admission.change = { budget: held.budget.name, change: told };
    return admission;
  }

  /** This process's own share, at once: what others counted in Redis is not known here. */
  function acquireLocally(name: string, held: Shared | undefined): Admission {
    const seen = circuits.look(name);
    if (!held || !seen.allowed) return circuits.acquire(name);
    const { waitMs, change } = share.waitMs(held.budget);
    if (waitMs > 0) return { ...spent(waitMs), change };
    const admission = circuits.acquire(name);
    const call = `${LOCAL_CALL}${randomUUID()}`;
    const begun = share.begin(held.budget);
    return admission.allowed ? { ...admission, call, change: begun } : admission;
  }

  /** The call has ended for this process. */
  function ended(name: string, call: string | undefined): void {
    const budget = budgets.get(name);
    if (budget && call?.startsWith(LOCAL_CALL)) share.end(budget);
  }

  return {
    async acquire(name) {
      const held = sharedOf(name);
      const isUnreported = unreported.has(name);
      if (isUnreported && !circuits.look(name).allowed) return circuits.acquire(name);
      const admission = await acquireOnce(name, held);
      if (!isUnreported || !admission.allowed) return admission;
      const own = circuits.acquire(name);
      return { ...admission, probe: admission.probe || (own.allowed && own.probe) };
    },
    async look(name) {
      const own = circuits.look(name);
      if (unreported.has(name) && !own.allowed) return own;
      const answer = await tell(name, 'look');
      return answer ? toAdmission(answer) : own;
    },
    async succeeded(name, call) {
      ended(name, call);
      if (spotless.has(name) && call === undefined && !unreported.has(name)) return undefined;
      const answer = await tell(name, 'succeeded', { call });
      if (!answer) {
        unreported.add(name);
        return circuits.succeeded(name);
      }
      const transition = TRANSITIONS[answer[0] ?? 0];
      return unreported.delete(name) ? (transition ?? circuits.succeeded(name)) : transition;
    },
    async failed(name, failure, call) {
      ended(name, call);
      spotless.delete(name);
      const answer = await tell(name, 'failed', { waitMs: failure.retryAfterMs, call });
      if (!answer) {
        unreported.add(name);
        return circuits.failed(name, failure);
      }
      unreported.delete(name);
      return TRANSITIONS[answer[0] ?? 0];
    },
    async abandoned(name, call) {
      ended(name, call);
      circuits.abandoned(name);
      await tell(name, 'abandoned', { call });
    },
    async left(name) {
      const held = sharedOf(name);
      if (!held) return [];
      const answer = await tell(name, 'left');
      if (!answer) return share.left(held.budget);
      return held.budget.windows.map((window, index) => ({ ...window, left: answer[index] ?? 0 }));
    },
  };
}

/** The script's answer to a question. */
function toAdmission([verdict, value = 0]: number[], call?: string): Admission {
  if (verdict === 1) {
    return { allowed: true, probe: value === PROBE, ...(call === undefined ? {} : { call }) };
  }
  return { allowed: false, reason: verdict === 0 ? 'breaker' : 'budget', retryAfterMs: value };
}

function spent(retryAfterMs: number): Admission {
  return { allowed: false, reason: 'budget', retryAfterMs };
}
