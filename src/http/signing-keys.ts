import Keygrip from 'keygrip';
import { createLru } from '../lru.js';

/** Verified signatures that are remembered, of some 200 bytes each. */
const MAX_REMEMBERED = 10_000;

/**
 * The keys that sign cookies, as Koa takes them: the first signs, all verify. To verify a signature takes three
 * HMACs for each key, which is a fifth of a cache hit or more, so signatures that were valid are remembered.
 *
 * That is safe: only a pair of text and signature that an HMAC has confirmed is added, and it is found only as
 * a whole. A lookup by hash does not reveal how much of a guess is right, and other keys need a new process.
 */
export function createSigningKeys(keys: string[]): Keygrip {
  const keygrip = new Keygrip(keys, 'sha256');
  const remembered = createLru<string, number>(MAX_REMEMBERED);

  function index(text: string, signature: string): number {
    // A line break is in no header: the pair cannot be read in two ways.
    const pair = `${text}\n${signature}`;
    const known = remembered.get(pair);
    if (known !== undefined) return known;
    const found = keygrip.index(text, signature);
    if (found >= 0) remembered.set(pair, found);
    return found;
  }

  return {
    sign: (text: string): string => keygrip.sign(text),
    index,
    verify: (text: string, signature: string) => index(text, signature) >= 0,
  };
}
