/** Maximum number of items in one command. A command of this size blocks Redis for a quarter of a millisecond. */
export const MAX_ITEMS = 64;

/** Adds an item, which is sent at the end of the current event loop iteration. Returns its result. */
export type Batcher<Item, Result> = (item: Item) => Promise<Result>;

interface PendingItem<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
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
  let groups = new Map<string, PendingItem<Item, Result>[]>();

  async function sendBatch(batch: PendingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await send(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function sendAll(): void {
    const ended = groups;
    // A new map: V8 retains the old tables of a map that is cleared again and again.
    groups = new Map();
    for (const batch of ended.values()) void sendBatch(batch);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (groups.size === 0) atEndOfIteration(sendAll);
      const group = groupOf(item);
      const batch = groups.get(group) ?? [];
      groups.set(group, batch);
      if (batch.push({ item, resolve, reject }) < MAX_ITEMS) return;
      groups.delete(group);
      void sendBatch(batch);
    });
}
