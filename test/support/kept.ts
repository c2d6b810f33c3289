import { fileURLToPath } from 'node:url';

/** The folder of what helps to understand a red run: logs and pictures. CI keeps it as an artifact. */
export const KEPT = fileURLToPath(new URL('../../.cache/kept', import.meta.url));
