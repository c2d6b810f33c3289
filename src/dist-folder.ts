/**
 * The folder that the build writes. The relative path is valid in `src` and in `dist`: the build bundles the code of the
 * service into files directly in `dist`, whatever folder of `src` it is in.
 */
export const DIST = new URL('../dist/', import.meta.url);
