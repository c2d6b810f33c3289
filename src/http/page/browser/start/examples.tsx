import type { Actions } from '../state/actions.js';
import { CityLinks } from '../search/city-links.js';

/** Places in several scripts, each in a language of the place (BCP 47). */
const EXAMPLES = [
  { city: '東京', country: '日本', lang: 'ja' },
  { city: 'München', country: 'Deutschland', lang: 'de' },
  { city: 'القاهرة', country: 'مصر', lang: 'ar' },
  { city: 'São Paulo', country: 'Brasil', lang: 'pt' },
  { city: 'Nairobi', country: 'Kenya', lang: 'sw' },
  { city: 'Reykjavík', country: 'Ísland', lang: 'is' },
];

/** Places to try. Their weather is not fetched: nobody has asked for it. */
export function Examples({ actions }: { actions: Actions }) {
  return (
    <section class="examples" aria-labelledby="examples-title">
      <h2 id="examples-title">Try one of these</h2>
      <CityLinks cities={EXAMPLES} go={actions.go} />
    </section>
  );
}
