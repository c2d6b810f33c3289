/**
 * Calls back once, at the end of the present turn of the event loop, in the order of these calls; last,
 * what a callback asks for itself. Between two callbacks nothing else runs, so what they send is one write to a
 * connection.
 */
export type AtEndOfTurn = (callback: () => void) => void;

export function createTurns(): AtEndOfTurn {
  let callbacks: (() => void)[] = [];
  function end(): void {
    for (const callback of callbacks) callback();
    callbacks = [];
  }
  return (callback) => {
    if (callbacks.push(callback) === 1) setImmediate(end);
  };
}
