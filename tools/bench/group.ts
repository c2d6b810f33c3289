import type { RoundOptions } from './rounds.js';
import type { Comparison } from './statistics.js';

export interface GroupOptions extends RoundOptions {
  /** The folder with the entry points of this checkout. */
  dist: string;
  /** The same of the version that it is compared with. */
  otherDist: string;
  /** The number of addresses and places in a crowd. */
  crowd: number;
  /** Calls `stop` when the group is measured, the last one first. */
  onEnd: (stop: () => Promise<unknown>) => void;
}

/** Measures several rows together. @returns the comparisons with what each compares */
export type Group = (options: GroupOptions) => Promise<Record<string, Comparison>>;
