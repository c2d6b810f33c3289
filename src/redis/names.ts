/**
 * The number of each form that is kept in Redis. Raise the number with every change of what is kept
 * under a name: then no version ever reads the form of another one. Numbers begin at 3, because
 * 1.0.0 and the builds before 2.0.0 kept two forms under names without a number.
 */
const FORMS = {
  entry: 3,
  fetch: 4,
  window: 3,
  quota: 4,
  session: 3,
  kept: 3,
  probe: 3,
  queue: 4,
  fetched: 4,
};

/** Every name that one deployment uses in Redis: keys, the channel and the queue. */
export interface Names {
  /** The cached weather of a place, or the cached position of a name. @param place `requestKey` */
  entry(place: string): string;
  /** The record of the fetch of a place. It has the node of the place's entry. */
  fetch(place: string): string;
  /** One sliding window. @param key as limits and budgets name it, with a tag for clusters */
  window(key: string): string;
  /** What a provider said of its quota. */
  quota(upstream: string): string;
  session(id: string): string;
  /** An answer that a provider's terms demand to be kept. */
  kept(id: string): string;
  /** What a probe writes. @param tag chooses the node of a cluster */
  probe: (tag: string) => string;
  /** The channel of all announcements. A channel belongs to no database, so its name says which. */
  readonly announcements: string;
  /** What the names of BullMQ's keys begin with. */
  readonly queue: string;
}

/**
 * @param prefix begins every name: deployments with different ones never notice each other
 * @param database the number of the database in Redis
 */
export function createNames(prefix: string, database: number): Names {
  const name = (kind: keyof typeof FORMS, rest: string) =>
    `${prefix}:${kind}${FORMS[kind]}:${rest}`;
  return {
    entry: (place) => name('entry', `{${place}}`),
    fetch: (place) => name('fetch', `{${place}}`),
    window: (key) => name('window', key),
    quota: (upstream) => name('quota', `{${upstream}}`),
    session: (id) => name('session', `{${id}}`),
    kept: (id) => name('kept', id),
    probe: (tag) => name('probe', `{${tag}}`),
    announcements: name('fetched', String(database)),
    queue: `{${prefix}:queue${FORMS.queue}}`,
  };
}
