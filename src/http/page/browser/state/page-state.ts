/** Everything that the page shows depends on this state, and on nothing else. */
import type {
  AirBody,
  ApiResponse,
  ConditionsBody,
  DaysBody,
  HoursBody,
  PollenBody,
  SuggestedPlace,
} from './api.js';
import { readFromBrowser, storeInBrowser } from './browser.js';
import { locale } from './language.js';
import type { City, Query } from './queries.js';

export type UnitSystem = 'metric' | 'imperial';

/** A part that loads after the conditions: undefined while it is loading, null if that failed. */
export type Part<Json> = ApiResponse<Json> | null | undefined;

export interface Weather {
  conditions: ApiResponse<ConditionsBody>;
  hours?: Part<HoursBody>;
  days?: Part<DaysBody>;
  air?: Part<AirBody>;
  pollen?: Part<PollenBody>;
}

/** Returns the responses that have arrived. */
export const partsOf = (weather: Weather) =>
  Object.values<Part<unknown>>({ ...weather }).filter(
    (part) => part !== null && part !== undefined,
  );

export interface Problem {
  text: string;
  /** What the user may have meant. */
  choices?: Query[];
  /** Repeats what failed. */
  retry?: () => void;
}

export interface State {
  text: string;
  suggestions: SuggestedPlace[];
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
  system: UnitSystem;
  /** Index of the first of the next hours that is not scrolled away. */
  firstHour: number;
  /** Milliseconds since the epoch. It is updated twice a minute. */
  now: number;
}

const UNITS_KEY = 'units';
const chosen = readFromBrowser(UNITS_KEY);
const usual = ['US', 'LR', 'MM'].includes(locale.region ?? '') ? 'imperial' : 'metric';

let state: State = {
  text: '',
  suggestions: [],
  active: -1,
  status: '',
  query: undefined,
  isLoading: false,
  weather: undefined,
  problem: undefined,
  movesFocus: false,
  recent: [],
  firstHour: 0,
  now: Date.now(),
  system: chosen === 'metric' || chosen === 'imperial' ? chosen : usual,
};
let listener: (state: State, before: State) => void;

export const getState = (): State => state;

export function setState(changes: Partial<State>): void {
  const before = state;
  state = { ...state, ...changes };
  listener(state, before);
}

/** Calls a function after each change. */
export function onChange(show: typeof listener): void {
  listener = show;
}

export function setSystem(system: UnitSystem): void {
  setState({ system });
  storeInBrowser(UNITS_KEY, system);
}
