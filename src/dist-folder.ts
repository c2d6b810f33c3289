/**
 * The folder that the build writes. The relative path is valid in `src` and in `dist`: the build writes the bundled code
 * of all folders of `src` into files directly in `dist`.
 */
export const DIST = new URL('../dist/', import.meta.url);
