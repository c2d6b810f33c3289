/** The next hours on an axis. The unit is a column, which an hour has; the hour begins in the middle, where its labels are. */
import type { Hour } from '../state/api.js';

const MS_PER_HOUR = 3_600_000;
export const HALF_COLUMN = 0.5;

export interface Timeline {
  hours: Hour[];
  /** The days, each from its first hour. */
  days: { date: string; from: number; to: number }[];
  now: number;
  width: number;
}

/** Returns the hours that have not ended yet. @param now milliseconds since the epoch */
export function timelineOf(all: Hour[], now: number): Timeline {
  const hours = all.filter(({ time }) => Date.parse(time) + MS_PER_HOUR > now);
  const width = hours.length + HALF_COLUMN;
  const days: Timeline['days'] = [];
  for (const [index, { time }] of hours.entries()) {
    const date = time.slice(0, 10);
    const last = days.at(-1);
    if (last?.date === date) continue;
    // In a zone with a half hour, the day begins between two hours.
    const from = last ? index + HALF_COLUMN - Number(time.slice(14, 16)) / 60 : 0;
    if (last) last.to = from;
    days.push({ date, from, to: width });
  }
  const past = (now - Date.parse(hours[0]?.time ?? '')) / MS_PER_HOUR;
  return { hours, days, now: past + HALF_COLUMN, width };
}
