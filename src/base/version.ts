import { createRequire } from 'node:module';
import { DIST } from '../dist-folder.js';

const manifest = createRequire(DIST)('../package.json') as { version: string };

/** Name and version of this program. The version is set only in `package.json`. */
export const SERVICE_NAME = 'weather-lookup-service';
export const SERVICE_VERSION = manifest.version;
