/** The entry point of the worker process. It begins like `server.ts`. */

import './process/signals.js';

// The flag `--enable-source-maps` would make pino parse the maps at each start.
process.setSourceMapsEnabled(true);

await import('./worker-process.js');
