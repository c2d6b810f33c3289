import type { Weather } from '../state/page-state.js';
import { fill, t } from '../state/language.js';
import { formats } from './formats.js';

/** The colors of the bands of the European index, from the best band to the worst. */
const COLORS = ['cool', 'mild', 'warm', 'hot', 'heat', 'frost'];
const POLLENS = ['alder', 'birch', 'grass', 'mugwort', 'olive', 'ragweed'] as const;

/** The quality of the air as a number and a word with a color, and the pollen, if there is any. */
export function AirSection({ weather: { air, pollen } }: { weather: Weather }) {
  const { european_aqi: index, category, resolution_km: km } = air?.body ?? {};
  if (index == null) return null;
  const { index: format, distance } = formats();
  const color = COLORS[Math.min(Math.ceil(index / 20) || 1, COLORS.length) - 1] ?? '';
  const names = t.pollens.split('|');
  const amounts = POLLENS.flatMap((kind, at) => {
    const amount = pollen?.body[`${kind}_pollen`];
    return amount ? `${names[at] ?? ''} ${format(amount)}` : [];
  });
  return (
    <section class="air" aria-labelledby="air-title">
      <h2 id="air-title">{t.airQuality}</h2>
      <p class="index" style={{ '--tint': `var(--${color})` }}>
        {format(index)} <b>{category}</b>
      </p>
      {amounts.length > 0 && (
        <p>
          <span class="faint">{t.pollen}</span> {amounts.join(' · ')}
        </p>
      )}
      <p class="faint">{fill(t.airModel, km ? ` (${distance(km * 1000)})` : '')}</p>
    </section>
  );
}
