/**
 * Calls back once, at the end of the present turn of the event loop, in the order of these calls. Between two
 * callbacks nothing else runs, so what they send is one write to a connection.
 */
export type AtEndOfTurn = (callback: () => void) => void;

export function createTurns(): AtEndOfTurn {
  let callbacks: (() => void)[] = [];
  function end(): void {
    const ended = callbacks;
    callbacks = [];
    for (const callback of ended) callback();
  }
  return (callback) => {
    if (callbacks.push(callback) === 1) setImmediate(end);
  };
}
