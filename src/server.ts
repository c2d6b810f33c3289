/** The entry point of the API process. */

// Evaluated first: loading everything else takes 300 ms, in which a signal may arrive.
import './process/signals.js';

// The flag `--enable-source-maps` would make pino parse the maps at each start.
process.setSourceMapsEnabled(true);

await import('./api-process.js');
