import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The code of axe. A page must run it before `violationsOf`. */
export const axe = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** The rules of axe (WCAG 2.2 AA and best practices) that a page violates, each with the elements. */
export async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`,
  );
}
