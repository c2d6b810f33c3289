/** The entry point of the worker process. It begins with the signals, like `server.ts`. */

import './process/signals.js';

await import('./worker-process.js');
