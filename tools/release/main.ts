/** `npm run release -- 2.0.0`: a release in two local commits and a tag. See CONTRIBUTING. */
import { fileURLToPath } from 'node:url';
import { release } from './release.js';

const [version = ''] = process.argv.slice(2);
try {
  const today = new Date().toISOString().slice(0, 10);
  const commit = release(fileURLToPath(new URL('../../', import.meta.url)), version, today);
  console.log(
    `Read both commits (git show ${commit.slice(0, 12)}, git show). To publish them, push`,
  );
  console.log(`the branch and the tag together: git push --atomic REMOTE main v${version}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
