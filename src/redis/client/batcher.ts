/** Maximum number of items in one command. A command of this size blocks Redis for a quarter of a millisecond. */
export const MAX_ITEMS = 64;

/** Adds an item, which is sent at the end of the current event loop iteration. Returns its result. */
export type Batcher<Item, Result> = (item: Item) => Promise<Result>;

interface Batch<Item, Result> {
  items: Item[];
  /** The results in the order of the items. */
  results: Promise<Result[]>;
  send: () => void;
}

let callbacks: (() => void)[] = [];

/**
 * Runs the callbacks of all batchers in order at the end of the current event loop iteration. Nothing else
 * runs between them, so that the connection sends all of their commands in one write.
 */
function atEndOfIteration(callback: () => void): void {
  if (callbacks.push(callback) > 1) return;
  setImmediate(() => {
    const due = callbacks;
    callbacks = [];
    for (const each of due) each();
  });
}

/**
 * Sends the items of one group and one event loop iteration together, in the order of their arrival.
 * @param options.send returns the results in the order of the items; if it throws, all items fail
 * @param options.groupOf only items of one group can be in one command
 */
export function createBatcher<Item, Result>(options: {
  send: (items: Item[]) => Promise<Result[]>;
  groupOf: (item: Item) => string;
}): Batcher<Item, Result> {
  const { send, groupOf } = options;
  let batches = new Map<string, Batch<Item, Result>>();

  function sendAll(): void {
    const ended = batches;
    // A new map: V8 retains the old tables of a map that is cleared again and again.
    batches = new Map();
    for (const batch of ended.values()) batch.send();
  }

  function begin(group: string): Batch<Item, Result> {
    if (batches.size === 0) atEndOfIteration(sendAll);
    const items: Item[] = [];
    let start!: () => void;
    const results = new Promise<Result[]>((resolve) => {
      start = () => {
        resolve(send(items));
      };
    });
    const batch = { items, results, send: start };
    batches.set(group, batch);
    return batch;
  }

  return (item) => {
    const group = groupOf(item);
    const batch = batches.get(group) ?? begin(group);
    const position = batch.items.push(item) - 1;
    if (batch.items.length === MAX_ITEMS) {
      batches.delete(group);
      batch.send();
    }
    return batch.results.then((results) => results[position] as Result);
  };
}
