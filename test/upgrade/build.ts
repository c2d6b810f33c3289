/** Builds the releases that the tests of this folder start. `.cache/releases` caches them. */
import { buildCommit, RELEASES } from './releases.js';

try {
  for (const { commit } of RELEASES) buildCommit(commit);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
