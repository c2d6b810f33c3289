/** Builds the releases that the tests of this folder start. `.cache/releases` keeps them. */
import { buildRelease, RELEASES } from './releases.js';

try {
  for (const release of RELEASES) buildRelease(release);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
