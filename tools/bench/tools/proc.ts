import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { residentBytes } from '../../../test/support/processes.js';

/** What Linux tells of a process under `/proc`. */

let ticksPerSecond: number | undefined;

/**
 * The processor time that a process has used so far, user and system, all threads, in microseconds.
 * Its resolution is a clock tick, mostly 10 ms: measure over seconds.
 */
export function cpuMicros(pid: number): number {
  ticksPerSecond ??= Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;
  return (ticksOf(readFileSync(`/proc/${pid}/stat`, 'utf8')) / ticksPerSecond) * 1e6;
}

/** `utime` and `stime` of a line of `/proc/PID/stat`: fields 14 and 15 of proc(5). */
export function ticksOf(stat: string): number {
  // The second field is the name in parentheses, and may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Resident memory of a process now and at its highest, in megabytes (10^6 bytes). */
export function memory(pid: number): { now: number; highest: number } {
  const { now, highest } = residentBytes(pid);
  return { now: now / 1e6, highest: highest / 1e6 };
}
