/** The entry point of the worker process. It begins like `server.ts`. */

import './process/require-node.js';
import './process/signals.js';

await import('./worker-process.js');
