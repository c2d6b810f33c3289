/** The phases of the moon, from 0 to 1: 0 is the new moon, 0.5 the full moon. */
import { t } from '../state/language.js';

/** The mean change in a day, for a day without a neighbor. */
const DAILY = 1 / 29.53;

const changeOf = (from: number | undefined, to: number | undefined) =>
  from === undefined || to === undefined ? DAILY : (to - from + 1) % 1;

/**
 * Returns the names of the phases of consecutive days. A principal phase, such as the full moon, is
 * the name of the day on which the moon reaches it. A day lasts from half-way to the day before
 * until half-way to the next day.
 */
export function moonNames(phases: (number | null)[]): (string | null)[] {
  const names = t.moons.split('|');
  return phases.map((phase, index) => {
    if (phase === null) return null;
    const start = phase - changeOf(phases[index - 1] ?? undefined, phase) / 2;
    const end = phase + changeOf(phase, phases[index + 1] ?? undefined) / 2;
    const quarter = Math.floor(end * 4);
    const isPrincipal = quarter > Math.floor(start * 4);
    const eighth = isPrincipal ? quarter * 2 : Math.floor(phase * 4) * 2 + 1;
    return names[eighth % 8] ?? null;
  });
}
