import { conclude, runSideBySide } from './parts.js';

/**
 * `npm run check`: what every change must pass, as far as it needs nothing but Node.js. What has not changed
 * since the last run is taken from `.cache/`. ESLint's cache knows nothing of types in other files:
 * `npm run lint` and CI do without it.
 */
const outcomes = await runSideBySide([
  { name: 'format', command: 'prettier --check --cache --cache-location .cache/prettier .' },
  {
    name: 'types',
    command:
      'tsc -p test --incremental --tsBuildInfoFile .cache/types && tsc -p src/http/page/browser',
  },
  { name: 'lint', command: 'eslint --cache --cache-location .cache/eslint .' },
  { name: 'unit tests', command: 'npm run --silent test:unit' },
]);
process.exitCode = conclude(outcomes);
