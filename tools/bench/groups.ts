import { crowds } from './groups/crowds.js';
import { hits } from './groups/hits.js';
import { loneHit } from './groups/lone-hit.js';
import { loneMiss } from './groups/lone-miss.js';
import { loopDelay } from './groups/loop-delay.js';
import { memoryOfReplica, memoryOfWorker } from './groups/memory.js';
import { misses } from './groups/misses.js';
import { ready } from './groups/ready.js';
import { refused } from './groups/refused.js';
import type { GroupResult } from './results.js';
import type { RoundOptions } from './tools/rounds.js';

/** What a group is given. */
export interface GroupContext {
  settings: RoundOptions & {
    /** What numbers of addresses, places and sessions are multiplied by; less than 1 when quick. */
    scale: number;
  };
  /** The rows that are wanted: a group may leave out the others. */
  wants: (row: string) => boolean;
  /** Registers what is to be stopped when the group has ended, however it ends. */
  onEnd: (stop: () => Promise<void> | void) => void;
  /** Tells the person who waits what happens. */
  say: (text: string) => void;
}

/** Measures the rows of one group. */
export type Group = (context: GroupContext) => Promise<GroupResult>;

/** By the group's name in `rows.ts`, in the order in which they run. */
export const GROUPS: Readonly<Record<string, Group>> = {
  hits,
  refused,
  'lone-hit': loneHit,
  'lone-miss': loneMiss,
  misses,
  crowds,
  memory: memoryOfReplica,
  'worker-memory': memoryOfWorker,
  ready,
  'loop-delay': loopDelay,
};
