import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createOpenMeteoGeocoder } from '../../../src/providers/open-meteo/geocoder.js';
import { likelyLanguages } from '../../../src/providers/open-meteo/name-languages.js';
import { createCallPolicy } from '../../../src/upstream/policy.js';
import type { Geocoder } from '../../../src/providers/open-meteo/geocoder.js';
import { policyOptionsOf } from '../../support/call-policies.js';
import { manualClock } from '../../support/manual-clock.js';
import { PATHS, type StubProvider } from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';

describe('the geocoder', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();
  const { client } = fixture;
  let stub: StubProvider;
  beforeEach(() => {
    ({ stub } = fixture);
  });

  const build = (more: { apiKey?: string } = {}): Geocoder =>
    createOpenMeteoGeocoder({
      client,
      baseUrl: stub.url,
      policy: createCallPolicy('open-meteo-geocoding', policyOptionsOf(manualClock()).options),
      ...more,
    });
  const find = (city: string, countryCode: string) =>
    build().search(city, countryCode, { signal: new AbortController().signal });
  const place = (more: object) => ({
    id: 1,
    name: 'Testville',
    latitude: 1,
    longitude: 1,
    country_code: 'FR',
    country: 'France',
    feature_code: 'PPL',
    population: 100,
    ...more,
  });

  it('finds a place in its country only', async () => {
    assert.deepEqual(await find('London', 'GB'), { latitude: 51.50853, longitude: -0.12574 });
    assert.deepEqual(await find('London', 'CA'), { latitude: 42.98339, longitude: -81.23304 });
    assert.equal(await find('London', 'FR'), undefined);
  });

  it('requests the maximum number of results, in the country', async () => {
    await find('London', 'CA');
    assert.deepEqual(stub.calls[0]?.query, {
      name: 'London',
      count: '100',
      language: 'en',
      format: 'json',
      countryCode: 'CA',
    });
    await build({ apiKey: 'secret' }).search('London', 'CA', {
      signal: new AbortController().signal,
    });
    assert.equal(stub.calls[1]?.query['apikey'], 'secret');
  });

  it('finds a small place behind many of the same name elsewhere', async () => {
    for (let id = 0; id < 50; id += 1) {
      stub.world.places.push(place({ id, country_code: 'US', population: 5000 + id }));
    }
    stub.world.places.push(place({ latitude: 47, longitude: 2 }));
    assert.deepEqual(await find('Testville', 'FR'), { latitude: 47, longitude: 2 });
  });

  it('chooses the most populous of several places', async () => {
    assert.deepEqual(await find('Springfield', 'US'), { latitude: 37.21533, longitude: -93.29824 });
  });

  it('does not find another place for a misspelled or shortened name', async () => {
    for (const [name, country] of [
      ['Londo', 'GB'],
      ['Spring', 'US'],
      ['Munic', 'DE'],
      ['Seattle', 'US'],
    ] as const) {
      assert.equal(await find(name, country), undefined, name);
    }
  });

  it('ignores case, accents, hyphens and apostrophes', async () => {
    stub.world.places.push(place({ name: 'Saint-Étienne-d’Été' }));
    for (const name of ['saint-etienne-d’été', 'SAINT-ÉTIENNE-D’ÉTÉ']) {
      assert.deepEqual(await find(name, 'FR'), { latitude: 1, longitude: 1 }, name);
    }
  });

  it('finds a name in the language of its script or of the country', async () => {
    const munich = { latitude: 48.13743, longitude: 11.57549 };
    assert.deepEqual(await find('Munich', 'DE'), munich);
    assert.equal(stub.count(PATHS.geocoding), 1);
    assert.deepEqual(await find('München', 'DE'), munich);
    assert.deepEqual(await find('Мюнхен', 'DE'), munich);
    assert.deepEqual(await find('北京', 'CN'), { latitude: 39.9075, longitude: 116.39723 });
    assert.deepEqual(await find('東京都', 'JP'), { latitude: 35.6895, longitude: 139.69171 });
    assert.deepEqual(await find('도쿄', 'JP'), { latitude: 35.6895, longitude: 139.69171 });
  });

  it('searches for an unknown name at most twice', async () => {
    assert.equal(await find('Nowhereville', 'DE'), undefined);
    assert.equal(stub.count(PATHS.geocoding), 2);
    assert.equal(await find('Nowhereville', 'GB'), undefined);
    assert.equal(stub.count(PATHS.geocoding), 3);
  });

  it('finds no airports and no mountains, and an area only if no settlement has the name', async () => {
    assert.equal(await find('Seattle Airport', 'US'), undefined);
    assert.equal(await find('Mount Pleasant', 'NG'), undefined);
    assert.deepEqual(await find('Adminia', 'IT'), { latitude: 45.5, longitude: 9.5 });
    stub.world.places.push(
      place({ feature_code: 'ADM4', population: 9000 }),
      place({ feature_code: 'PPLQ', population: 800, latitude: 7 }),
      place({ feature_code: 'PPL', population: 3, latitude: 9 }),
    );
    assert.deepEqual(await find('Testville', 'FR'), { latitude: 9, longitude: 1 });
  });

  it('reads a missing coordinate as zero', async () => {
    assert.deepEqual(await find('Zeroville', 'GH'), { latitude: 0, longitude: 0 });
  });

  it('leaves the area after a comma to the service', async () => {
    const regular = { name: 'London', country_code: 'GB', feature_code: 'PPLC', latitude: 51 };
    const body = JSON.stringify({ results: [regular] });
    stub.behave(PATHS.geocoding, { kind: 'status', status: 200, body });
    assert.deepEqual(await find('London, England', 'GB'), { latitude: 51, longitude: 0 });
    assert.equal(stub.calls[0]?.query['name'], 'London, England');
  });

  it('does not search for a name without a letter', async () => {
    assert.equal(await find("-'.", 'GB'), undefined);
    assert.equal(stub.count(PATHS.geocoding), 0);
  });

  it('ignores a result in another country', async () => {
    const other = { name: 'London', country_code: 'CA', feature_code: 'PPL', latitude: 42 };
    const body = JSON.stringify({ results: [other] });
    stub.behave(PATHS.geocoding, { kind: 'status', status: 200, body });
    assert.equal(await find('London', 'GB'), undefined);
  });

  it('accepts the maximum number of results, and no more', async () => {
    const reply = (count: number) => {
      const body = JSON.stringify({ results: Array.from({ length: count }, () => place({})) });
      stub.behave(PATHS.geocoding, { kind: 'status', status: 200, body });
    };
    reply(100);
    assert.deepEqual(await find('Testville', 'FR'), { latitude: 1, longitude: 1 });
    assert.equal(stub.calls[0]?.query['count'], '100');
    reply(101);
    await assert.rejects(find('Testville', 'FR'), { kind: 'bad_answer', message: /more than 100/ });
  });

  it('distinguishes a failure from an unknown place', async () => {
    for (const fault of [
      { kind: 'status', status: 500 },
      { kind: 'html' },
      { kind: 'reset' },
      { kind: 'status', status: 200, body: '{"results":"none"}' },
      { kind: 'status', status: 200, body: '{"results":[{"name":"London","latitude":"51"}]}' },
    ] as const) {
      stub.behave(PATHS.geocoding, fault);
      await assert.rejects(find('London', 'GB'), {
        name: 'UpstreamError',
        upstream: 'open-meteo-geocoding',
      });
    }
    stub.behave(PATHS.geocoding, { kind: 'quota', window: 'concurrent' });
    await assert.rejects(find('London', 'GB'), { kind: 'quota', retryAfterMs: 3000 });
  });
});

describe('the language of a name', () => {
  it('follows its script and its country', () => {
    const cases: [string, string, string[]][] = [
      ['London', 'GB', ['en']],
      ['München', 'DE', ['en', 'de']],
      ['Москва', 'RU', ['ru']],
      ['Київ', 'UA', ['uk', 'ru']],
      ['北京', 'CN', ['zh']],
      ['東京', 'JP', ['ja', 'zh']],
      ['さいたま', 'JP', ['ja']],
      ['서울', 'KR', ['ko']],
      ['القاهرة', 'EG', ['ar']],
      ['تهران', 'IR', ['fa', 'ar']],
      ['Αθήνα', 'GR', ['el']],
      ['תל אביב', 'IL', ['he']],
      ['दिल्ली', 'IN', ['hi']],
      ['กรุงเทพ', 'TH', ['th']],
    ];
    for (const [name, country, languages] of cases) {
      assert.deepEqual(likelyLanguages(name, country), languages, name);
    }
  });
});
