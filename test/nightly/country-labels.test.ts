import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanName } from '../../src/text/place-names.js';
import { countryNamed } from '../../src/places/names/countries.js';
import { loadPlaceData } from '../../src/places/place-data.js';
import { countryLabels } from '../../tools/gazetteer/country-labels.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

// The gazetteer was built by this Node.js, so both have the same CLDR data.
const data = loadPlaceData(builtGazetteer());
const codes = data.countries.map(({ code }) => code);

/** What names must not have, but some labels do: `&`, `/`, `:`, `_`, `"`, and the pattern `--`. */
const BLOCKED = /[!-~](?<![A-Za-z'(),.-])|--/;
/** Abbreviations in a few languages are no names: the UK is RU in Breton. */
const SHORT_FORM = /^(?:\p{Lu}\p{M}?[. -]*){2,3}$/u;
/** Names of countries in other languages that are codes of regions: Mangystau, Sinaloa. */
const REGION_CODES = new Set(['Man', 'Sin']);

describe('the label of a country in any language', () => {
  const labels = countryLabels(codes);

  it('is known in as many languages as browsers have, and in their regional forms', () => {
    for (const locale of ['en', 'vi', 'he', 'hi', 'zu', 'de-AT', 'pt-PT', 'zh-Hant', 'sr-Latn']) {
      const label = new Intl.DisplayNames([locale], { type: 'region' }).of('CZ')!;
      assert.ok(labels.get(label)?.has('CZ'), `${locale}: ${label}`);
    }
    assert.ok(labels.size > 20_000, `${labels.size} labels`);
    assert.deepEqual([...(labels.get('Österreich') ?? [])][0]?.[0], 'AT');
  });

  it('is an accepted name, unless it has a blocked character', () => {
    const rejected = [...labels.keys()].filter(
      (label) => cleanName(label).ok === BLOCKED.test(label),
    );
    assert.deepEqual(rejected, []);
  });

  it('means its country, and first the country that has it in most languages', () => {
    const wrong: string[] = [];
    for (const [label, uses] of labels) {
      const cleaned = cleanName(label);
      if (!cleaned.ok || SHORT_FORM.test(label) || REGION_CODES.has(label)) continue;
      const meant = countryNamed(data, cleaned.name.plain)?.codes ?? [];
      for (const code of uses.keys()) {
        if (!meant.includes(code)) wrong.push(`${label}: ${meant.join()} and not ${code}`);
      }
      const most = Math.max(...uses.values());
      if (uses.get(meant[0] ?? '') !== most) wrong.push(`${label}: first ${meant.join()}`);
    }
    assert.deepEqual(wrong, []);
  });
});
