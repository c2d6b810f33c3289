/** Makes the engine and its images before they are needed, where the tests would make them: CI does so beside other work. */
import { startEngine, whyNoEngine } from '../compose/engine.js';

const missing = whyNoEngine();
if (missing === undefined) await (await startEngine()).stop();
else console.log(`no engine: ${missing}`);
