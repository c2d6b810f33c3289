import { POINT_KINDS } from '../weather/kinds/kinds.js';

/** The version of each stored format. docs/storage.md says when to raise it. */
const FORMAT_VERSIONS = {
  entry: 6,
  window: 3,
  /** The JSON of a line may have further members, which every release ignores. */
  session: 4,
  health: 1,
  /**
   * The number of kinds is added: older workers drop jobs of a kind that they do not know. If one
   * is removed, raise this by 2.
   */
  queue: 5,
  fetched: 8,
};

export type Names = ReturnType<typeof createNames>;

/**
 * Every name that one deployment uses in Redis; docs/storage.md lists them.
 * @param prefix begins every name, so that deployments with different prefixes do not affect each
 *   other
 */
export function createNames(prefix: string, database: number) {
  const name = (format: keyof typeof FORMAT_VERSIONS, rest: string) =>
    `${prefix}:${format}${FORMAT_VERSIONS[format]}:${rest}`;
  const queue = `{${prefix}:queue${FORMAT_VERSIONS.queue + POINT_KINDS.length}}`;
  return {
    entry: (key: string) => name('entry', `{${key}}`),
    /** @param key the key of a `Window`, with a hash tag */
    window: (key: string) => name('window', key),
    session: (id: string) => name('session', `{${id}}`),
    /** The key that a health check writes. @param tag chooses the node of a cluster */
    healthCheck: (tag: string) => name('health', `{${tag}}`),
    /** The channel for the ends of fetches. It belongs to no database, so it has its number. */
    fetchMessages: name('fetched', String(database)),
    queue,
  };
}
