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
    /** The record of the fetch of a place. It has the node of the place's entry. */
    fetch: (place: string) => name('fetch', `{${place}}`),
    /** One sliding window. @param key as limits and budgets name it, with a tag for clusters */
    window: (key: string) => name('window', key),
    quota: (upstream: string) => name('quota', `{${upstream}}`),
    session: (id: string) => name('session', `{${id}}`),
    kept: (id: string) => name('kept', id),
    /** What a probe writes. @param tag chooses the node of a cluster */
    probe: (tag: string) => name('probe', `{${tag}}`),
    /** The channel of all announcements. A channel belongs to no database, so its name says which. */
    announcements: name('fetched', String(database)),
    /** What the names of BullMQ's keys begin with. */
    queue: `{${prefix}:queue${FORMS.queue}}`,
  };
}
