import { conclude, runSideBySide } from './parts.js';

/** `npm run check`: what every change must pass, as far as it needs nothing but Node.js. */
const outcomes = await runSideBySide([
  { name: 'format', command: 'npm run --silent format:check' },
  { name: 'types', command: 'npm run --silent types' },
  { name: 'lint', command: 'npm run --silent lint' },
  { name: 'unit tests', command: 'npm run --silent test:unit' },
]);
process.exitCode = conclude(outcomes);
