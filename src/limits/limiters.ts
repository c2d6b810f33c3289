import { ifUnavailable } from '../errors.js';
import type { Scope } from '../weather/scope.js';
import type { Clock } from '../weather/types.js';
import type { Refusals } from './refusals.js';
import type {
  Counted,
  LocalWindow,
  SlidingWindow,
  Verdict,
  WindowPair,
  WindowState,
} from './sliding-window.js';

/** Counts one request of a client, or refuses it. Without any limit the verdict is empty. */
export type Limiter = (client: string, scope: Scope) => Verdict | Promise<Verdict>;

/** A shared window, and the one that decides while the store is unavailable: this process's share. */
export interface BackedWindow {
  shared: SlidingWindow;
  local: LocalWindow;
}

/** What a limiter over a shared store needs besides its windows. */
interface SharedOptions {
  refusals: Refusals;
  clock: Pick<Clock, 'monotonic'>;
}

/** The key of a window that counts all clients together. */
const ALL = 'all';

const toState = ({ limit, remaining, resetMs }: Counted): WindowState => ({
  limit,
  remaining,
  resetMs,
});

function toVerdict(own: Counted | undefined, total: Counted | undefined): Verdict {
  if (own?.admitted === false) return { refusedBy: 'own', own: toState(own) };
  if (total?.admitted === false) return { refusedBy: 'total', total: toState(total) };
  return { ...(own && { own: toState(own) }), ...(total && { total: toState(total) }) };
}

/** Counts in this process alone. A window that is `undefined` is off. */
export function countLocally(
  own: LocalWindow | undefined,
  total: LocalWindow | undefined,
): (client: string) => Verdict {
  return (client) => {
    const mine = own?.consume(client);
    // Refused before the total is asked: it must not use up what others may have.
    if (mine?.admitted === false) return toVerdict(mine, undefined);
    const all = total?.consume(ALL);
    if (mine && all?.admitted === false) own?.refund(client, mine);
    return toVerdict(mine, all);
  };
}

/**
 * Counts in both shared windows at once. What they admit is counted in this process too: if the
 * store becomes unavailable in the middle of a window, this process still knows what it has let
 * through and does not begin again at zero.
 */
export function countTogether(
  options: SharedOptions & { pair: WindowPair; own: LocalWindow; total: LocalWindow },
): Limiter {
  const { pair, own, total, refusals, clock } = options;
  const locally = countLocally(own, total);
  return async (client, scope) => {
    const known = refusals.find(client);
    if (known) return known;
    const askedAt = clock.monotonic();
    const verdict = await ifUnavailable(pair.consume(client, scope), undefined);
    if (verdict === undefined) return locally(client);
    if (verdict.refusedBy) {
      refusals.keep(client, verdict, askedAt);
    } else {
      own.consume(client);
      total.consume(ALL);
    }
    return verdict;
  };
}

/** What one window has said to one request. */
interface Taken {
  state: Counted;
  /** Whether the shared window has said it. */
  shared: boolean;
  giveBack(scope: Scope): Promise<void>;
}

async function take(window: BackedWindow, key: string, scope: Scope): Promise<Taken> {
  const { shared, local } = window;
  const state = await ifUnavailable(shared.consume(key, scope), undefined);
  if (state?.admitted === false) return { state, shared: true, giveBack: () => Promise.resolve() };
  // What the shared window admits is counted in this process too, as in `countTogether`.
  const here = local.consume(key);
  return {
    state: state ?? here,
    shared: state !== undefined,
    async giveBack(rest) {
      if (here.admitted) local.refund(key, here);
      // Without the store the count stays until it leaves the window: too strict, never too lax.
      if (state) await ifUnavailable(shared.refund(key, state, rest), undefined);
    },
  };
}

/**
 * Counts in the client's own window, then in the total, and takes the first back when the second
 * refuses: for two windows on different nodes, and for one window alone. Each window is decided by
 * its store, or in this process while that store is unavailable.
 */
export function countInTurn(
  options: SharedOptions & { own: BackedWindow | undefined; total: BackedWindow | undefined },
): Limiter {
  const { own, total, refusals, clock } = options;

  async function count(client: string, scope: Scope): Promise<{ verdict: Verdict; keep: boolean }> {
    const mine = own && (await take(own, client, scope));
    if (mine?.state.admitted === false) {
      return { verdict: toVerdict(mine.state, undefined), keep: mine.shared };
    }
    const all = total && (await take(total, ALL, scope));
    if (mine && all?.state.admitted === false) {
      // Before the wait: requests of this client that come meanwhile must ask the store again.
      refusals.forget(client);
      await mine.giveBack(scope);
    }
    return { verdict: toVerdict(mine?.state, all?.state), keep: all?.shared ?? false };
  }

  return async (client, scope) => {
    const known = refusals.find(client);
    if (known) return known;
    const askedAt = clock.monotonic();
    const { verdict, keep } = await count(client, scope);
    if (keep) refusals.keep(client, verdict, askedAt);
    return verdict;
  };
}
