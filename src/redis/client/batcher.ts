/** Maximum number of items in one command. A command of this size blocks Redis for a quarter of a millisecond. */
const MAX_ITEMS = 64;

/** A part of a command. */
export interface BatchItem {
  /** A key that the item touches. */
  key: string;
  /** Arguments that all items of a command have in common. */
  shape?: string;
}

/** Adds an item, which is sent at the end of the current event loop iteration. Returns its result. */
export type Batcher<Item extends BatchItem, Result> = (item: Item) => Promise<Result>;

interface Batch<Item, Result> {
  items: Item[];
  /** The results in the order of the items. */
  results: Promise<Result[]>;
}

let iteration: Promise<void> | undefined;

/**
 * Resolves at the end of the current event loop iteration: for all batchers at once, so that the connection sends all of
 * their commands in one write.
 */
function endOfIteration(): Promise<void> {
  iteration ??= new Promise((resolve) => {
    setImmediate(() => {
      iteration = undefined;
      resolve();
    });
  });
  return iteration;
}

/**
 * Sends the items of one group, one shape, and one event loop iteration together, in the order of their arrival.
 * @param options.send returns the results in the order of the items; if it throws, all items fail
 * @param options.groupOf returns the group of a key: only items of one group can be in one command
 */
export function createBatcher<Item extends BatchItem, Result>(options: {
  send: (items: Item[]) => Promise<Result[]>;
  groupOf: (key: string) => string;
}): Batcher<Item, Result> {
  const { send, groupOf } = options;
  /** The batches of the current iteration by group and shape. */
  let batches = new Map<string, Batch<Item, Result>>();

  function begin(group: string): Batch<Item, Result> {
    const end = endOfIteration();
    // A new map: V8 retains the old tables of a map that is cleared again and again.
    if (batches.size === 0) void end.then(() => (batches = new Map()));
    const items: Item[] = [];
    const batch = { items, results: end.then(() => send(items)) };
    batches.set(group, batch);
    return batch;
  }

  return (item) => {
    const group = groupOf(item.key) + (item.shape ?? '');
    let batch = batches.get(group);
    if (!batch || batch.items.length === MAX_ITEMS) batch = begin(group);
    const position = batch.items.push(item) - 1;
    return batch.results.then((results) => results[position] as Result);
  };
}
