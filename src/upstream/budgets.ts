/** At most `limit` calls in any interval of `windowSeconds`. */
export interface CallWindow {
  limit: number;
  windowSeconds: number;
}

/** How many calls the whole fleet may make to one provider. */
export interface Budget {
  /** Upstreams whose budgets have one name share it. */
  name: string;
  windows: CallWindow[];
  /** Calls that may be under way at once; absent: any number. */
  atOnce?: number;
}

/** The budgets by upstream. An upstream without one may be called at any rate. */
export type Budgets = ReadonlyMap<string, Budget>;

/** A budget is spent, or calls fit into it again; told to one caller so that it is logged once. */
export interface BudgetChange {
  /** The budget's name. */
  budget: string;
  change: 'spent' | 'free';
}

/** What is left of one window of a budget. */
export interface BudgetLeft extends CallWindow {
  left: number;
}

/**
 * The budgets of this process alone. A call counts from its beginning until a window's length after
 * its end: whenever it reaches the provider in between, no window there holds too many.
 */
export interface LocalBudgets {
  /** Milliseconds until a call fits; 0: now. */
  look(budget: Budget): number;
  /** The same for a call that is refused if it has to wait. */
  waitMs(budget: Budget): { waitMs: number; change: BudgetChange | undefined };
  /** A call begins, whether it fits or not. */
  begin(budget: Budget): BudgetChange | undefined;
  end(budget: Budget): void;
  left(budget: Budget): BudgetLeft[];
}

export const BUDGET_POLICY = {
  /**
   * A spent budget counts as free again when half of it is, and nobody was refused for so long (ms).
   * Otherwise a record would be written for each call that fits in between.
   */
  quietMs: 1500,
  /** When to ask again while too many calls are under way, in milliseconds. */
  atOnceWaitMs: 100,
} as const;

/** Whether so much of every window is left that a spent budget is free again. */
export function isRoomy(windows: BudgetLeft[]): boolean {
  return windows.every(({ limit, left }) => left * 2 >= limit);
}
