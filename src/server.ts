/** The entry point of the API process. */

// Static imports are evaluated first, in this order. Everything else takes 300 ms to load, in which a signal may arrive.
import './process/require-node.js';
import './process/signals.js';

await import('./api-process.js');
