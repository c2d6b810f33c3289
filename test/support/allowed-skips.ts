/** The tests that may be skipped, by folder. In CI, none may be skipped. */
const SKIPPABLE = [
  { folder: 'test/compose/', machines: 'on which no container engine can be started' },
  { folder: 'test/dashboards/', machines: 'that have no Loki' },
];

/**
 * The reason why a test must not be skipped. Undefined: it may be skipped.
 * @param file its path in the repository
 */
export function whyNotSkipped(file: string, env: NodeJS.ProcessEnv): string | undefined {
  if (!SKIPPABLE.some(({ folder }) => file.startsWith(folder))) {
    return 'test/support/allowed-skips.ts does not list it';
  }
  return (env['CI'] ?? '') === '' ? undefined : 'where CI is set, every test must run';
}
