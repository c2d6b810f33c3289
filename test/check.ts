import { conclude, runInParallel } from './parts.js';

/**
 * `npm run check`: format, types, lint, and unit tests. It needs nothing but Node.js. `.cache/` has the results
 * for files that did not change. ESLint's cache does not notice a changed type in another file; `npm run lint`
 * and CI do not use it.
 */
const outcomes = await runInParallel([
  { name: 'format', command: 'prettier --check --cache --cache-location .cache/prettier .' },
  { name: 'types', command: 'npm run --silent types' },
  { name: 'lint', command: 'eslint --cache --cache-location .cache/eslint .' },
  { name: 'unit tests', command: 'npm run --silent test:unit' },
]);
process.exitCode = conclude(outcomes);
