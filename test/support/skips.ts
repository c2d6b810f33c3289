/** All that may be skipped: where in `test/`, and on which machines. Where `CI` is set nothing may. */
const SKIPPABLE = [
  { folder: 'test/compose/', machines: 'on which no container engine can be started' },
  { folder: 'test/dashboards/', machines: 'that have no Loki' },
];

/**
 * Why a test may not be skipped here; undefined if it may.
 * @param file its path in the repository
 */
export function whyNotSkipped(file: string, env: NodeJS.ProcessEnv): string | undefined {
  if (!SKIPPABLE.some(({ folder }) => file.startsWith(folder))) {
    return 'test/support/skips.ts does not list it';
  }
  return (env['CI'] ?? '') === '' ? undefined : 'where CI is set, every test must run';
}
