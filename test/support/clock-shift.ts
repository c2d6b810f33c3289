import { execFileSync } from 'node:child_process';
import { ensureCommand } from './packages.js';

/** The variables that shift a process's clock. The program `faketime` would forward no signals. */
export function shiftedClock(seconds: string): Record<string, string> {
  ensureCommand('faketime', 'faketime');
  const library = execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD']);
  return {
    LD_PRELOAD: library.toString().trim(),
    FAKETIME: seconds,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
