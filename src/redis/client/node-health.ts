import { createProbation } from './probation.js';

/** A node that answers probes within this time is quick. Well above 100 ms, which is normal. */
const QUICK_MS = 125;
/** So many probes in a row that took longer than this, and the node is slow. */
const SLOW_MS = 150;
const SLOW_PROBES = 5;
/** A connection that is back this soon is nothing to tell; the first may take longer. */
const GRACE_MS = { first: 3000, lost: 1000 };

/**
 * Whether one Redis node can be used. It becomes unavailable when it is silent, slow, or its
 * connection is lost. Probes in the background decide when it is used again, so that no request is
 * spent on finding out: after a lost connection one quick probe is enough; after silence or slowness
 * all probes must have been quick for a while, and each relapse doubles that while.
 */
export interface NodeHealth {
  /** Whether requests may ask it. */
  readonly usable: boolean;
  /** Why it is unavailable; undefined while it is well, or its connection was lost a moment ago. */
  readonly fault: string | undefined;
  /** Why it refuses writes; it is usable all the same. */
  readonly refusal: string | undefined;
  /** Whether nothing at all is wrong, nor seems to begin. */
  readonly isWell: boolean;
  /** Its connection is there again. */
  connected(): void;
  /** Its connection is lost. */
  lost(): void;
  /** It sent nothing for its full patience while commands waited. */
  silent(): void;
  /** A probe was answered after so many milliseconds; `Infinity`: not within its limit. */
  probed(tookMs: number): void;
  /** It refused a command. */
  refused(reason: string): void;
  /** A write in the background was taken or refused. */
  triedWrite(taken: boolean): void;
}

/** @param now milliseconds of a monotonic clock */
export function createNodeHealth(now: () => number): NodeHealth {
  let lostAt: number | undefined = now();
  let graceMs = GRACE_MS.first;
  /** It was connected anew, and no probe was late since. */
  let freshConnection = false;
  /** Silent or slow. */
  let unwell: string | undefined;
  let refusal: string | undefined;
  let lateProbes = 0;
  const probation = createProbation(now);
  const writeProbation = createProbation(now);

  function degrade(reason: string): void {
    if (unwell === undefined) probation.begin();
    else probation.failed();
    unwell ??= reason;
    freshConnection = false;
  }

  return {
    get usable() {
      return lostAt === undefined && unwell === undefined;
    },
    get fault() {
      if (unwell !== undefined) return unwell;
      if (lostAt !== undefined && now() - lostAt >= graceMs) return 'no_connection';
      return undefined;
    },
    get refusal() {
      return refusal;
    },
    get isWell() {
      return lostAt === undefined && unwell === undefined && !refusal && lateProbes === 0;
    },
    connected() {
      if (lostAt === undefined) return;
      lostAt = undefined;
      graceMs = GRACE_MS.lost;
      freshConnection = true;
    },
    lost() {
      lostAt ??= now();
    },
    silent() {
      if (lostAt === undefined) degrade('no_answer');
    },
    probed(tookMs) {
      lateProbes = tookMs > SLOW_MS ? lateProbes + 1 : 0;
      if (lateProbes >= SLOW_PROBES) degrade(tookMs === Infinity ? 'no_answer' : 'slow');
      if (tookMs > QUICK_MS) {
        freshConnection = false;
        probation.failed();
      } else if (unwell !== undefined && probation.passed(freshConnection)) unwell = undefined;
    },
    refused(reason) {
      if (refusal === undefined) writeProbation.begin();
      else writeProbation.failed();
      refusal ??= reason;
    },
    triedWrite(taken) {
      if (!taken) writeProbation.failed();
      else if (writeProbation.passed()) refusal = undefined;
    },
  };
}
