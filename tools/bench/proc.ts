import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

let ticksPerSecond: number | undefined;

/**
 * The CPU time of a process since its start, in microseconds: user and system, all threads. Its
 * resolution is one clock tick (10 ms on most machines), so measure over seconds.
 */
export function cpuMicros(pid: number): number {
  ticksPerSecond ??= Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses. It may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // `utime` and `stime`, fields 14 and 15 of proc(5).
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}
