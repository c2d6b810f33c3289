import type { AtEndOfTurn } from './turn.js';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Items of one command. Redis serves nobody else meanwhile: for half a millisecond at most. */
const MAX_ITEMS = 64;

export type Batcher<Item, Result> = ReturnType<typeof createBatcher<Item, Result>>;

/**
 * Sends the items of one turn of the event loop and of one group together, in the order in which they
 * came. After a turn with a single item, the next item is sent at once: who is alone waits for nobody.
 * @param options.send gives a result for each item, in their order
 */
export function createBatcher<Item, Result>(options: {
  send: (items: Item[]) => Promise<Result[]>;
  groupOf: (item: Item) => string;
  atEndOfTurn: AtEndOfTurn;
}) {
  const { send, groupOf, atEndOfTurn } = options;
  const groups = new Map<string, Waiting<Item, Result>[]>();
  let addedInTurn = 0;
  let isQuiet = true;

  async function sendGroup(waiting: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await send(waiting.map(({ item }) => item));
      waiting.forEach(({ resolve }, i) => {
        resolve(results[i] as Result);
      });
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  function endTurn(): void {
    isQuiet = addedInTurn === 1;
    addedInTurn = 0;
    const ended = [...groups.values()];
    groups.clear();
    for (const waiting of ended) void sendGroup(waiting);
  }

  function enqueue(waiting: Waiting<Item, Result>): void {
    const key = groupOf(waiting.item);
    const group = groups.get(key) ?? [];
    group.push(waiting);
    groups.set(key, group);
    if (group.length < MAX_ITEMS && !(isQuiet && addedInTurn === 1)) return;
    groups.delete(key);
    void sendGroup(group);
  }

  return {
    /** Rejects with what its `send` threw, as every item of the same `send` does. */
    add: (item: Item): Promise<Result> =>
      new Promise((resolve, reject) => {
        if (addedInTurn === 0) atEndOfTurn(endTurn);
        addedInTurn += 1;
        enqueue({ item, resolve, reject });
      }),
  };
}
