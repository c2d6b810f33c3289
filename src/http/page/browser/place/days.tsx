import type { Day } from '../state/api.js';
import { DayRow } from './day-row.js';
import type { Formats } from './formats.js';

/** Degrees of the scale at least, so that small differences look small. */
const MIN_SPAN = 4;

/** Days that are shown at once. Beyond a week, a forecast says little. */
const SHOWN_DAYS = 7;

/** Returns the place of a temperature between the lowest (0) and the highest (1) one. */
export type Scale = (celsius: number) => number;

/**
 * The next days: each with a bar from its lowest to its highest temperature, all on one scale.
 * @param props.date at the place; empty if the browser does not know the time zone, which then shows all days
 */
export function Days({ days, formats, date }: { days: Day[]; formats: Formats; date: string }) {
  const next = days.filter((day) => day.date >= date);
  const lowest = Math.min(...next.map((day) => day.temperature_min));
  const highest = Math.max(...next.map((day) => day.temperature_max));
  const span = Math.max(highest - lowest, MIN_SPAN);
  const scale: Scale = (celsius) => (celsius - lowest) / span;
  return (
    <section class="days" aria-labelledby="days-title">
      <h2 id="days-title">Next days</h2>
      {rowsOf(next.slice(0, SHOWN_DAYS))}
      {next.length > SHOWN_DAYS && (
        <details class="more">
          <summary>More days</summary>
          {rowsOf(next.slice(SHOWN_DAYS))}
        </details>
      )}
    </section>
  );

  function rowsOf(some: Day[]) {
    return (
      <ul>
        {some.map((day) => (
          <li key={day.date}>
            <DayRow day={day} isToday={day.date === date} scale={scale} formats={formats} />
          </li>
        ))}
      </ul>
    );
  }
}
