/** The next hours on one axis. */
import type { Hour } from '../state/api.js';

const MS_PER_HOUR = 3_600_000;

export interface TimedHour extends Hour {
  /** Number of hours from the first hour. A provider can leave out hours. */
  at: number;
}

export interface Timeline {
  hours: TimedHour[];
  /** The days, each from its first hour. */
  days: { date: string; from: number; to: number }[];
  /** Number of hours from the first to the end of the last. */
  length: number;
  /** Hours from the first hour to now; negative if it has not begun. */
  now: number;
}

/** Returns the hours that have not ended yet. @param now milliseconds since the epoch */
export function timelineOf(all: Hour[], now: number): Timeline {
  const next = all.filter(({ time }) => Date.parse(time) + MS_PER_HOUR > now);
  const start = Date.parse(next[0]?.time ?? '');
  const hours = next.map((hour) => ({
    ...hour,
    at: Math.round((Date.parse(hour.time) - start) / MS_PER_HOUR),
  }));
  const length = (hours.at(-1)?.at ?? -1) + 1;
  const days: Timeline['days'] = [];
  for (const { time, at } of hours) {
    const date = time.slice(0, 10);
    const last = days.at(-1);
    if (last?.date === date) continue;
    // In a zone with a half hour, the day begins between two hours.
    const from = last ? at - Number(time.slice(14, 16)) / 60 : 0;
    if (last) last.to = from;
    days.push({ date, from, to: length });
  }
  return { hours, days, length, now: (now - start) / MS_PER_HOUR };
}
