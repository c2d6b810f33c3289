/** The phases of the moon, from 0 to 1: 0 is the new moon, 0.5 the full moon. */
import { t } from '../state/language.js';

/** The mean change in a day. */
const DAILY = 1 / 29.53;

/** Returns the signed difference from the nearest of the four principal phases. */
const fromPrincipal = (phase: number) => phase - Math.round(phase * 4) / 4;

/** Returns whether a day is nearer to a principal phase than the day before and the day after. */
function isPrincipal(phase: number, before: number | null, after: number | null): boolean {
  const own = Math.abs(fromPrincipal(phase));
  const daysAway = own / DAILY;
  if (daysAway > 1) return false;
  const distance = (other: number | null, usual: number) =>
    Math.abs(fromPrincipal(other ?? phase + usual));
  return own < distance(before, -DAILY) && own <= distance(after, DAILY);
}

/** Returns the name of a phase. Of several days around a principal phase, such as the full moon, one has its name. */
export function moonName(phase: number, before: number | null, after: number | null): string {
  const names = t.moons.split('|');
  const eighth = isPrincipal(phase, before, after)
    ? Math.round(phase * 4) * 2
    : Math.floor(phase * 4) * 2 + 1;
  return names[eighth % 8] ?? '';
}
