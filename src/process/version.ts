import { createRequire } from 'node:module';

const manifest = createRequire(import.meta.url)('../../package.json') as { version: string };

/** Name and version of this program. The version stands in `package.json` alone. */
export const SERVICE_NAME = 'weather-lookup-service';
export const SERVICE_VERSION = manifest.version;
/** Where providers find out who calls them. */
export const SERVICE_REPOSITORY =
  'https://github.com/weather-lookup-service/weather-lookup-service';
