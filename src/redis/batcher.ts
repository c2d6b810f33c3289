/** The most items of one command. A command of this size blocks Redis for a quarter of a millisecond. */
export const MAX_ITEMS = 64;

export type Batch<Item> = readonly [Item, ...Item[]];

/** Adds an item, which is sent at the end of the current event loop iteration. */
export type Batcher<Item> = (item: Item) => void;

let callbacks: (() => void)[] = [];

/**
 * Runs the callbacks of all batchers in order at the end of the current event loop iteration. Nothing else
 * runs between them, so that the connection sends all of their commands in one write. Callbacks that are
 * added meanwhile run last.
 */
function atEndOfIteration(callback: () => void): void {
  if (callbacks.push(callback) > 1) return;
  setImmediate(() => {
    for (const each of callbacks) each();
    callbacks = [];
  });
}

/**
 * Sends the items of one group and one event loop iteration together, in the order of their arrival.
 * @param options.send must not throw
 * @param options.groupOf only items of one group can be in one command
 */
export function createBatcher<Item>(options: {
  send: (batch: Batch<Item>) => void;
  groupOf: (item: Item) => string;
}): Batcher<Item> {
  const { send, groupOf } = options;
  let groups = new Map<string, [Item, ...Item[]]>();

  function sendAll(): void {
    const ended = groups;
    // A new map: V8 retains the old tables of a map that is cleared again and again.
    groups = new Map();
    for (const batch of ended.values()) send(batch);
  }

  return (item) => {
    if (groups.size === 0) atEndOfIteration(sendAll);
    const group = groupOf(item);
    const batch = groups.get(group);
    if (!batch) groups.set(group, [item]);
    else if (batch.push(item) === MAX_ITEMS) {
      groups.delete(group);
      send(batch);
    }
  };
}
