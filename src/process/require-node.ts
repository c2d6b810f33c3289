import { isSupported } from './node-version.js';
import { NODE_RANGE } from '../base/version.js';

/*
 * Ends the process with a message and code 1 if this version of Node.js is not supported. An unsupported version fails
 * while it loads the other modules, with a syntax error. Therefore an entry point imports this first, and this module and
 * its imports use nothing that Node.js 18 lacks.
 */
const { node } = process.versions;
if (!isSupported(node, NODE_RANGE)) {
  console.error(`This program needs Node.js ${NODE_RANGE}. This is Node.js ${node}.`);
  process.exit(1);
}
