/** Everything that the page shows depends on this state, and on nothing else. */
import type { ApiResponse, Conditions, Days, Failure, Hours, Place } from './api.js';
import type { City, Query } from './queries.js';
import type { System } from '../place/formats.js';

/** A part of the weather that is loaded after the conditions; undefined while it is loading. */
export type Part<Json> = ApiResponse<Json> | Failure | undefined;

/** The weather of the place that is shown. */
export interface Weather {
  query: Query;
  conditions: ApiResponse<Conditions>;
  hours: Part<Hours>;
  days: Part<Days>;
  /** Milliseconds since the epoch, by the clock of the browser. */
  fetchedAt: number;
}

/** Why there is nothing to show, and what the user can do. */
export interface Problem {
  text: string;
  /** Cities that the user may have meant. */
  choices?: City[];
  /** Repeats what failed. */
  retry?: () => void;
}

export interface State {
  /** The text in the field. */
  text: string;
  suggestions: Place[];
  /** Index of the suggestion that Enter chooses; -1: none. */
  active: number;
  /** A short text below the field. */
  status: string;
  /** The place that the page shows or loads. */
  query: Query | undefined;
  isLoading: boolean;
  /** The weather of `query`. */
  weather: Weather | undefined;
  problem: Problem | undefined;
  /** Whether the focus moves to the result: the user has asked for it on this page. */
  movesFocus: boolean;
  recent: City[];
  system: System;
  isTwelveHours: boolean;
  /** Milliseconds since the epoch. It is updated twice a minute. */
  now: number;
}

export interface Store {
  readonly state: State;
  set: (changes: Partial<State>) => void;
}

/** @param onChange receives each new state */
export function createStore(initial: State, onChange: (state: State) => void): Store {
  const store = {
    state: initial,
    set(changes: Partial<State>) {
      store.state = { ...store.state, ...changes };
      onChange(store.state);
    },
  };
  return store;
}
