import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lifetime } from '../support/lifetime.js';
import { ensureCommand } from '../support/packages.js';
import type { Shipped } from './scenario.js';

/** Records as lnav reads them. */
export interface Lnav {
  /** All of them, as it shows them. */
  screen(): string;
  /** The rows of a query. */
  sql(select: string): Record<string, unknown>[];
}

/** @param formats a folder with formats for lnav */
export function openInLnav(t: Lifetime, formats: string, records: Shipped[]): Lnav {
  ensureCommand('lnav', 'lnav');
  const folder = mkdtempSync(join(tmpdir(), 'weather-lnav-'));
  t.after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const installed = join(folder, 'formats', 'weather');
  mkdirSync(installed, { recursive: true });
  cpSync(formats, installed, { recursive: true });
  const log = join(folder, 'service.log');
  writeFileSync(log, `${records.map(({ record }) => JSON.stringify(record)).join('\n')}\n`);

  function run(...args: string[]): string {
    const options = { encoding: 'utf8', env: { ...process.env, HOME: folder } } as const;
    const { stdout, stderr } = spawnSync('lnav', ['-I', folder, '-n', ...args, log], options);
    assert.equal(stderr, '');
    return stdout;
  }

  return {
    screen: () => run(),
    sql: (select) =>
      JSON.parse(run('-c', `;${select}`, '-c', ':write-json-to -')) as Record<string, unknown>[],
  };
}
