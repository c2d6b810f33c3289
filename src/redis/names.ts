/**
 * The number of each form that is kept in Redis. Raise the number with every change of what is kept
 * under a name: then no version ever reads the form of another one. Numbers begin at 3, because
 * 1.0.0 and the builds before 2.0.0 kept two forms under names without a number.
 */
const FORMS = {
  entry: 4,
  lock: 1,
  heartbeat: 1,
  window: 3,
  session: 4,
  health: 1,
  queue: 5,
  fetched: 5,
};

export type Names = ReturnType<typeof createNames>;

/**
 * Every name that one deployment uses in Redis; docs/storage.md lists them.
 * @param prefix begins every name: deployments with different ones never notice each other
 * @param database the number of the database in Redis
 */
export function createNames(prefix: string, database: number) {
  const name = (kind: keyof typeof FORMS, rest: string) =>
    `${prefix}:${kind}${FORMS[kind]}:${rest}`;
  return {
    /** The cached weather of a place, or the cached position of a name. @param place `requestKey` */
    entry: (place: string) => name('entry', `{${place}}`),
    /** The lock of the process that fetches a key. It has the node of the key's entry. */
    lock: (key: string) => name('lock', `{${key}}`),
    /** Exists while a worker takes jobs. */
    heartbeat: name('heartbeat', 'worker'),
    /** One sliding window. @param key as limits and budgets name it, with a tag for clusters */
    window: (key: string) => name('window', key),
    session: (id: string) => name('session', `{${id}}`),
    /** The key that a health check writes. @param tag chooses the node of a cluster */
    healthCheck: (tag: string) => name('health', `{${tag}}`),
    /** The channel on which the ends of fetches are published. A channel belongs to no database: its name says which. */
    fetchMessages: name('fetched', String(database)),
    /** What the names of BullMQ's keys begin with. */
    queue: `{${prefix}:queue${FORMS.queue}}`,
  };
}
