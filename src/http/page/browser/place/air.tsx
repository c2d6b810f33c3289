import { bandOf } from '../../../../weather/air-categories.js';
import { fill, t } from '../state/language.js';
import type { Weather } from '../state/page-state.js';
import type { Detail } from './details.js';
import { formats } from './formats.js';

/** The colors of the bands of the European index, from the best band to the worst. */
const COLORS = ['cool', 'mild', 'warm', 'hot', 'heat', 'frost'];
const POLLENS = ['alder', 'birch', 'grass', 'mugwort', 'olive', 'ragweed'] as const;

/** Returns the quality of the air as a color, a number, and a word; null if it is unknown. */
export function airQuality({ air }: Weather) {
  const { european_aqi: index, category } = air?.body ?? {};
  if (index == null) return null;
  const color = `var(--${COLORS[bandOf(index)] ?? ''})`;
  return (
    <span class="air" style={{ '--tint': color }}>
      {formats().index(index)} <b>{category}</b>
    </span>
  );
}

/** Returns where the quality of the air is from, and the pollen, if there is any. */
export function airDetails({ air, pollen }: Weather): Detail[] {
  const { european_aqi: index, resolution_km: km } = air?.body ?? {};
  const { index: format, distance } = formats();
  const names = t.pollens.split('|');
  const amounts = POLLENS.flatMap((kind, at) => {
    const amount = pollen?.body[`${kind}_pollen`];
    return amount ? `${names[at] ?? ''}\u00a0${format(amount)}` : [];
  });
  const model = fill(t.airModel, km ? ` (${distance(km * 1000)})` : '');
  return [
    [t.airQuality, index == null ? null : model],
    [t.pollen, amounts.join(' · ') || null],
  ];
}
