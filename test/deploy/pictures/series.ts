/** What one query gives: numbers over time, in Unix seconds. */
export interface Series {
  labels: Record<string, string>;
  points: [at: number, value: number][];
}

/** The time that a picture shows, in Unix seconds. */
export interface Span {
  from: number;
  to: number;
  /** Between two points. */
  step: number;
}

/** The instants of a span at which queries are asked. */
export function instantsOf({ from, to, step }: Span): number[] {
  return Array.from({ length: Math.floor((to - from) / step) }, (_, n) => from + (n + 1) * step);
}
