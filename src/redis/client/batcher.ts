/** Maximum number of items in one command. More block Redis for longer than 0.25 ms. */
const MAX_ITEMS = 64;

export interface BatchItem {
  /** A key that the item touches. */
  key: string;
  /** Arguments that all items of a command have in common. */
  shape?: string;
}

interface Batch<Item, Result> {
  items: Item[];
  /** Each takes the result of the item at its position. */
  waiting: { resolve: (result: Result) => void; reject: (error: unknown) => void }[];
}

let pending: (() => void)[] = [];

/** Calls functions in order at the end of the event loop iteration, also those that they add. */
export function atEndOfIteration(call: () => void): void {
  if (pending.length === 0) {
    setImmediate(() => {
      try {
        for (const each of pending) each();
      } finally {
        pending = [];
      }
    });
  }
  pending.push(call);
}

/**
 * Sends the items of one group, shape, and event loop iteration together, in their order.
 * @param options.send returns the results in order; if it rejects, all items fail
 */
export function createBatcher<Item extends BatchItem, Result>(options: {
  send: (items: Item[]) => Promise<Result[]>;
  groupOf: (key: string) => string;
}): (item: Item) => Promise<Result> {
  const { send, groupOf } = options;
  let batches = new Map<string, Batch<Item, Result>>();

  function begin(group: string): Batch<Item, Result> {
    const { items, waiting }: Batch<Item, Result> = { items: [], waiting: [] };
    atEndOfIteration(() => {
      // A new map: V8 retains the old tables of a map that is cleared again and again.
      if (batches.size > 0) batches = new Map();
      send(items).then(
        (results) => {
          for (const [i, { resolve }] of waiting.entries()) resolve(results[i] as Result);
        },
        (error: unknown) => {
          for (const { reject } of waiting) reject(error);
        },
      );
    });
    const batch = { items, waiting };
    batches.set(group, batch);
    return batch;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const group = groupOf(item.key) + (item.shape ?? '');
      let batch = batches.get(group);
      if (!batch || batch.items.length === MAX_ITEMS) batch = begin(group);
      batch.items.push(item);
      batch.waiting.push({ resolve, reject });
    });
}
