import type { AtEndOfTurn } from './turn.js';

/** Items of one command. Redis serves nobody else meanwhile: for half a millisecond at most. */
export const MAX_ITEMS = 64;

export type Batch<Item> = readonly [Item, ...Item[]];

/** Takes an item, which is sent at the end of the present turn of the event loop. */
export type Batcher<Item> = (item: Item) => void;

/** Sends the items of one turn and of one group together, in the order in which they came. */
export function createBatcher<Item>(options: {
  send: (batch: Batch<Item>) => void;
  groupOf: (item: Item) => string;
  atEndOfTurn: AtEndOfTurn;
}): Batcher<Item> {
  const { send, groupOf, atEndOfTurn } = options;
  let groups = new Map<string, [Item, ...Item[]]>();

  function endTurn(): void {
    const ended = groups;
    // A new one: a map that is cleared links its old table to the next one, which V8 keeps with it for long.
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
