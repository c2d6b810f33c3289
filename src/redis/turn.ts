/**
 * Calls back at the end of the present turn of the event loop, in the order of these calls; last, what a
 * callback asks for itself. Nothing else runs between them, so what they send is one write.
 */
export type AtEndOfTurn = (callback: () => void) => void;

export function createTurns(): AtEndOfTurn {
  let callbacks: (() => void)[] = [];
  function end(): void {
    try {
      for (const callback of callbacks) callback();
    } finally {
      callbacks = [];
    }
  }
  return (callback) => {
    if (callbacks.push(callback) === 1) setImmediate(end);
  };
}
