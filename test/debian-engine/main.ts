/** Creates the engine and its images in advance. CI does so in parallel with other work. */
import { startEngine, whyNoEngine } from '../compose/engine.js';

const missing = whyNoEngine();
if (missing === undefined) await (await startEngine()).stop();
else console.log(`no engine: ${missing}`);
