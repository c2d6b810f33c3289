/** Says what `npm run test:kubernetes` needs, and fails, unless the current context may be used. */
import { whyNotHere } from './cluster.js';

const why = whyNotHere();
if (why !== undefined) {
  console.error(why);
  process.exitCode = 2;
}
