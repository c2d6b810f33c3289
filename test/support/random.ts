export type Random = ReturnType<typeof createRandom>;

/** Pseudorandom numbers, repeatable by seed (Mulberry32: small, and good enough for test cases). */
export function createRandom(seed: number) {
  let state = seed >>> 0;

  /** A number from 0 to 1, without 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    next,
    /** An integer from `low` to `high`, inclusive. */
    between: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error('nothing to draw from');
      return list[Math.floor(next() * list.length)]!;
    },
    /** Picks by weight: a weight of 2 is picked twice as often as a weight of 1. */
    weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T {
      let left = next() * list.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of list) if ((left -= weight) < 0) return value;
      return list.at(-1)![1];
    },
    chance: (probability: number) => next() < probability,
  };
}

/** A hash of a text, as a seed. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
}
