/** Without a handler, process 1 of a container ignores the signals that end a process. */

/** Until `onEndSignal` is called, nothing has begun that a shutdown would finish. */
let shutDown: (signal: NodeJS.Signals) => Promise<void> | void = () => process.exit(0);
let isEnding = false;

function handle(signal: NodeJS.Signals): void {
  // The second signal of a person, or of a platform, that does not wait for the shutdown.
  if (isEnding) process.exit(1);
  isEnding = true;
  void shutDown(signal);
}

process.on('SIGTERM', handle);
process.on('SIGINT', handle);

/** Sets what the first SIGTERM or SIGINT does. The second one ends the process with code 1. */
export function onEndSignal(shutdown: typeof shutDown): void {
  shutDown = shutdown;
}
