import Keygrip from 'keygrip';
import { createLru } from '../lru.js';

/** Some 200 bytes each. */
const MAX_REMEMBERED = 10_000;

/**
 * The keys that sign cookies: the first signs, all verify. Verifying takes an HMAC for each key, so
 * signatures that were good before are remembered.
 *
 * That is safe: only a pair of text and signature that an HMAC has confirmed gets in, and it is
 * found only as a whole. A lookup by hash does not tell how much of a guess is right, and other keys
 * need a new process, which remembers nothing.
 */
export function createSigningKeys(keys: string[]): Keygrip {
  const keygrip = new Keygrip(keys, 'sha256');
  const verify = keygrip.index.bind(keygrip);
  const remembered = createLru<string, number>(MAX_REMEMBERED);
  keygrip.index = (text, signature) => {
    // A line break is in no header: the pair cannot be read in two ways.
    const pair = `${text}\n${signature}`;
    const known = remembered.get(pair);
    if (known !== undefined) return known;
    const index = verify(text, signature);
    if (index >= 0) remembered.set(pair, index);
    return index;
  };
  return keygrip;
}
