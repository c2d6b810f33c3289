import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The code of axe. A page must run it before `violationsOf`. Read synchronously: if an imported
 * module awaits at its top level, node:test does not run the `after` hooks of the file.
 */
export const axe = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** The rules of axe (WCAG 2.2 AA, best practices) that a page violates, with the elements. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Until a transition has ended, colors are between those of two states.
  await page.evaluate(
    `Promise.allSettled(document.getAnimations()
      .filter((each) => each instanceof CSSTransition).map(({ finished }) => finished))`,
  );
  // Without the option, axe also describes each element that passes, which takes twice as long.
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run({ resultTypes: ['violations'] })`,
  );
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`,
  );
}
