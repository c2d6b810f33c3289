import { MAX_REQUESTS, parseLimit, type Limit } from './rate-limit-window.js';

/** A client that an operator has given a key. */
export interface NamedClient {
  name: string;
  /** Its own limit. Absent: the limit per client IP. */
  limit?: Limit;
  /** Its own limit on the fetches that it starts. Absent: the limit per client IP. */
  fetches?: Limit;
}

const NAME = /^[A-Za-z0-9._-]{1,40}$/;
const SHA_256 = /^[0-9a-f]{64}$/i;
/** Each name is a series of metrics. */
const MAX_CLIENTS = 1000;
/** Bytes, more than all clients take. */
export const MAX_FILE_SIZE = 1_000_000;
export const TOO_LARGE = 'it is larger than 1 MB';

/**
 * Parses a file of clients: in each line a name, the SHA-256 of the key, and optionally the limit,
 * and the limit on fetches.
 * @returns the clients by the hash of their key, in lower case
 * @throws Error that names the line, but never its content
 */
export function parseClients(text: string): Map<string, NamedClient> {
  if (text.length > MAX_FILE_SIZE) throw new Error(TOO_LARGE);
  const clients = new Map<string, NamedClient>();
  const names = new Set<string>();
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const [name, hash, ...limits] = line.trim().split(/\s+/);
    if (!name || name.startsWith('#')) continue;
    const fault = (reason: string) => new Error(`line ${index + 1} ${reason}`);
    if (!NAME.test(name)) throw fault('has no name of 1 to 40 letters, digits, and . _ -');
    if (hash === undefined || !SHA_256.test(hash)) throw fault('has no SHA-256 in 64 hex digits');
    const isRepeated = names.has(name) || clients.has(hash.toLowerCase());
    if (isRepeated) throw fault('repeats a name or a hash');
    const parsed = limits.map((each) => parseLimit(each, MAX_REQUESTS));
    const [limit, fetches] = parsed;
    if (parsed.length > 2 || parsed.includes(undefined)) {
      throw fault('must end with the hash, or with one or two limits such as 600/60');
    }
    names.add(name);
    clients.set(hash.toLowerCase(), { name, ...(limit && { limit }), ...(fetches && { fetches }) });
  }
  // An empty file is one that is being written. One with a comment has no client any more.
  if (text.trim() === '') throw new Error('it is empty or cannot be read');
  if (clients.size > MAX_CLIENTS) throw new Error(`it has more than ${MAX_CLIENTS} clients`);
  return clients;
}
