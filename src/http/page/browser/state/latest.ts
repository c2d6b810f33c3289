/** Keeps at most one request of a kind: starting one aborts the former, so that its response is never shown. */
export interface Latest {
  /** Aborts the former request. Returns the signal of the next one. */
  start: () => AbortSignal;
  abort: () => void;
}

export function createLatest(): Latest {
  let controller = new AbortController();
  return {
    start() {
      controller.abort();
      controller = new AbortController();
      return controller.signal;
    },
    abort() {
      controller.abort();
    },
  };
}
