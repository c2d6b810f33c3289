import type { AtEndOfTurn } from './turn.js';

/** The most items of one command. A command of this size blocks Redis for half a millisecond. */
export const MAX_ITEMS = 64;

export type Batch<Item> = readonly [Item, ...Item[]];

/** Adds an item, which is sent at the end of the current event loop iteration. */
export type Batcher<Item> = (item: Item) => void;

/** Sends the items of one group and one event loop iteration together, in the order of their arrival. */
export function createBatcher<Item>(options: {
  send: (batch: Batch<Item>) => void;
  groupOf: (item: Item) => string;
  atEndOfTurn: AtEndOfTurn;
}): Batcher<Item> {
  const { send, groupOf, atEndOfTurn } = options;
  let groups = new Map<string, [Item, ...Item[]]>();

  function endTurn(): void {
    const ended = groups;
    // A new map: V8 keeps the old tables of a map that is cleared again and again.
    groups = new Map();
    for (const batch of ended.values()) send(batch);
  }

  return (item) => {
    if (groups.size === 0) atEndOfTurn(endTurn);
    const group = groupOf(item);
    const batch = groups.get(group);
    if (!batch) groups.set(group, [item]);
    else if (batch.push(item) === MAX_ITEMS) {
      groups.delete(group);
      send(batch);
    }
  };
}
