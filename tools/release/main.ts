/** `npm run release -- 2.0.0`: see CONTRIBUTING. */
import { fileURLToPath } from 'node:url';
import { release } from './release.js';

const [version = ''] = process.argv.slice(2);
try {
  const today = new Date().toISOString().slice(0, 10);
  const written = release(fileURLToPath(new URL('../../', import.meta.url)), version, today);
  console.log(`${written.join('\n')}\n\nRead the changes, then:`);
  console.log(
    `git commit -am "Release ${version}" && git tag v${version} && git push --atomic origin main v${version}`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
