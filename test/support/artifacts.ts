import { fileURLToPath } from 'node:url';

/** The folder for logs and screenshots of failed runs. CI uploads it as an artifact. */
export const ARTIFACTS = fileURLToPath(new URL('../../.cache/kept', import.meta.url));
