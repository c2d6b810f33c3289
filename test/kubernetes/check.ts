/** Fails with a message about the requirements of `npm run test:kubernetes` if the current context must not be used. */
import { whyNotHere } from './cluster.js';

const why = whyNotHere();
if (why !== undefined) {
  console.error(why);
  process.exitCode = 2;
}
