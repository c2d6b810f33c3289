import { ifUnavailable } from '../errors.js';
import type { Scope } from '../weather/scope.js';
import { MAX_RECENT_SEARCHES, type Search, type Sessions } from '../weather/searches.js';
import type { RedisStore } from './client/store.js';
import { isDuration, parseObject } from './fetching/entry.js';
import type { Names } from './names.js';
import { SESSION_HEAD, searchesOf, sessionText } from './sessions.js';

/**
 * Carries over the sessions that versions before 2.0.0 have left. To be deleted with 3.0.0, with its
 * use in `index.ts` and its tests.
 *
 * - 1.0.0 keeps `{"issuedAt":<ms>}` under `weather:session:{id}`, and under `weather:searches:{id}` a
 *   list, newest first: the place's key, a line break, city and country as a JSON object.
 * - The builds between 1.0.0 and 2.0.0 keep under `weather:session:{id}` what is form 3 today.
 *
 * The old keys stay as they are: the old version may still run, or come back.
 */

/** The only prefix of those versions. */
const OLD_PREFIX = 'weather';

/** KEYS: old session, old searches, session. In a cluster they are all on one node. */
const READ = `
local session, searches = redis.pcall('GET', KEYS[1]), redis.pcall('LRANGE', KEYS[2], 0, -1)
session = type(session) == 'string' and session
return {session, searches.err and {} or searches, redis.call('EXISTS', KEYS[3])}`;

/**
 * Sessions that are looked for in the old forms where there is none in today's.
 * @param prefix of this deployment's names: with another one there are no old sessions
 */
export function carryingOver(
  sessions: Sessions,
  options: { store: RedisStore; names: Names; prefix: string; ttlSeconds: number },
): Sessions {
  const { store, names, prefix, ttlSeconds } = options;
  if (prefix !== OLD_PREFIX) return sessions;
  const read = store.script('weatherOldSessionRead', READ);

  /** A session in an old form, as today's text, and whether there is one in today's by now. */
  async function find(...[id, scope]: Parameters<Sessions['searches']>) {
    const keys = [`${OLD_PREFIX}:session:{${id}}`, `${OLD_PREFIX}:searches:{${id}}`];
    const reply = await read([...keys, names.session(id)], [], scope);
    const [session, searches, count] = reply as [string | null, string[], number];
    return { text: session === null ? undefined : textOf(session, searches), isKept: count > 0 };
  }

  /** Another request of the client may have been quicker, and may have added a search since. */
  function keep(id: string, text: string, scope?: Scope): Promise<unknown> {
    const key = names.session(id);
    return store.run(key, (redis) => redis.set(key, text, 'EX', ttlSeconds, 'NX'), scope);
  }

  /** Whether a session is there in an old form. If there was none in today's, now there is. */
  async function carryOver(...[id, scope]: Parameters<Sessions['searches']>): Promise<boolean> {
    const { text, isKept } = await find(id, scope);
    if (text !== undefined && !isKept) await keep(id, text, scope);
    return text !== undefined;
  }

  return {
    ...sessions,
    async record(id, search, scope) {
      const issuedAt = await sessions.record(id, search, scope);
      if (issuedAt !== undefined || !(await carryOver(id, scope))) return issuedAt;
      return sessions.record(id, search, scope);
    },
    async searches(id, scope) {
      const found = await sessions.searches(id, scope);
      if (found.length > 0) return found;
      const { text, isKept } = await find(id, scope);
      if (text === undefined) return found;
      const kept = isKept || (await ifUnavailable(keep(id, text, scope), false));
      // A Redis that takes no writes is read all the same.
      return kept === false ? searchesOf(text) : sessions.searches(id, scope);
    },
    async clearSearches(id, scope) {
      await carryOver(id, scope);
      await sessions.clearSearches(id, scope);
    },
  };
}

/** A session in today's form, confirmed: its cookie has come back. Undefined when it is damaged. */
function textOf(session: string, searches: string[]): string | undefined {
  if (SESSION_HEAD.test(session)) return session.replace(SESSION_HEAD, '$1\n');
  const issuedAt = parseObject(session)?.['issuedAt'];
  if (!isDuration(issuedAt)) return undefined;
  const list = searches.flatMap(searchOf).slice(0, MAX_RECENT_SEARCHES);
  return sessionText({ issuedAt, confirmed: true }, list);
}

/** Of a damaged element, nothing. */
function searchOf(element: string): Search[] {
  const [, placeKey, json = ''] = /^([^\t\n]+)\n(.*)$/.exec(element) ?? [];
  const { city, country } = parseObject(json) ?? {};
  if (placeKey === undefined || typeof city !== 'string' || typeof country !== 'string') return [];
  return [{ placeKey, city, country }];
}
