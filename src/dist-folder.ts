/** The folder that the build writes. The relative path is valid in `src` and for the bundle. */
export const DIST = new URL('../dist/', import.meta.url);
