/** The next hours, and their columns: a label for several hours, because 24 labels are too wide for a phone. */
import type { Hour } from '../service/weather-api.js';

export const HOURS_PER_COLUMN = 3;
const MS_PER_HOUR = 3_600_000;

export interface Timeline {
  hours: Hour[];
  /** The number of hours from the first hour to each hour. A provider can leave out hours. */
  offsets: number[];
  /** The number of columns. */
  columns: number;
}

export interface Column {
  /** The hour in the middle, whose values the label has; undefined if the provider left it out. */
  middle: Hour | undefined;
  /** Millimeters in all hours of the column; null if none is known. */
  precipitation: number | null;
  /** The highest probability in percent; null if none is known. */
  probability: number | null;
}

export function timelineOf(hours: Hour[]): Timeline {
  const start = Date.parse(hours[0]?.time ?? '');
  const offsets = hours.map(({ time }) => Math.round((Date.parse(time) - start) / MS_PER_HOUR));
  return { hours, offsets, columns: Math.ceil(((offsets.at(-1) ?? -1) + 1) / HOURS_PER_COLUMN) };
}

export function columnsOf({ hours, offsets, columns }: Timeline): Column[] {
  return Array.from({ length: columns }, (_, column) => {
    const first = column * HOURS_PER_COLUMN;
    const isIn = (offset: number) => offset >= first && offset < first + HOURS_PER_COLUMN;
    const own = hours.filter((_hour, index) => isIn(offsets[index] ?? NaN));
    const amounts = own.flatMap(({ precipitation }) => precipitation ?? []);
    const chances = own.flatMap(({ precipitation_probability: chance }) => chance ?? []);
    return {
      middle: hours[offsets.indexOf(first + Math.floor(HOURS_PER_COLUMN / 2))],
      precipitation: amounts.length > 0 ? amounts.reduce((sum, amount) => sum + amount, 0) : null,
      probability: chances.length > 0 ? Math.max(...chances) : null,
    };
  });
}
