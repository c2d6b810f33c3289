import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createOpenMeteoGeocoder } from '../../../src/providers/open-meteo/geocoder.js';
import { likelyLanguages } from '../../../src/providers/open-meteo/name-languages.js';
import { createCallPolicy } from '../../../src/upstream/policy.js';
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

  const build = (apiKey?: string) =>
    createOpenMeteoGeocoder({
      client,
      baseUrl: stub.url,
      policy: createCallPolicy('open-meteo-geocoding', policyOptionsOf(manualClock()).options),
      apiKey,
    });
  const find = (city: string, countryCode: string, apiKey?: string) =>
    build(apiKey).search(city, countryCode, { signal: new AbortController().signal });
  const place = { name: 'Testville', latitude: 1, country_code: 'FR', feature_code: 'PPL' };
  /** Responds to every search with these results. */
  const respond = (...results: object[]) => {
    const body = JSON.stringify({ results });
    stub.behave(PATHS.geocoding, { kind: 'status', status: 200, body });
  };

  it('requests the maximum number of results, in the country', async () => {
    await find('London', 'CA', 'secret');
    assert.deepEqual(stub.calls[0]?.query, {
      name: 'London',
      count: '100',
      language: 'en',
      format: 'json',
      countryCode: 'CA',
      apikey: 'secret',
    });
  });

  it('does not find another place for a misspelled or shortened name', async () => {
    assert.equal(await find('Londo', 'GB'), undefined);
    assert.equal(await find('Munic', 'DE'), undefined);
  });

  it('ignores case, accents, hyphens and apostrophes', async () => {
    respond({ ...place, name: 'Saint-Étienne-d’Été' });
    assert.deepEqual(await find('SAINT-ÉTIENNE-D’ÉTÉ', 'FR'), { latitude: 1, longitude: 0 });
    assert.deepEqual(await find("saint etienne d'été", 'FR'), { latitude: 1, longitude: 0 });
  });

  it('searches for an unknown name once in each likely language, at most twice', async () => {
    assert.equal(await find('Nowhereville', 'DE'), undefined);
    assert.equal(await find('Nowhereville', 'GB'), undefined);
    const languages = stub.calls.map(({ query }) => query['language']);
    assert.deepEqual(languages, ['en', 'de', 'en']);
  });

  it('chooses the most populous settlement, and an area only if no settlement has the name', async () => {
    const results = [
      { ...place, feature_code: 'AIRP', population: 90_000, latitude: 7 },
      { ...place, feature_code: 'ADM4', population: 9000, latitude: 2 },
      { ...place, feature_code: 'PPLQ', population: 800, latitude: 3 },
      { ...place, population: 3, latitude: 4 },
      { ...place, population: 30, latitude: 5 },
      { ...place, population: 300, latitude: 6, country_code: 'BE' },
    ];
    respond(...results);
    assert.deepEqual(await find('Testville', 'FR'), { latitude: 5, longitude: 0 });
    respond(...results.slice(0, 3));
    assert.deepEqual(await find('Testville', 'FR'), { latitude: 2, longitude: 0 });
    respond(results[0]!);
    assert.equal(await find('Testville', 'FR'), undefined);
  });

  it('reads a missing coordinate as zero', async () => {
    assert.deepEqual(await find('Zeroville', 'GH'), { latitude: 0, longitude: 0 });
  });

  it('does not search for a name without a letter', async () => {
    assert.equal(await find("-'.", 'GB'), undefined);
    assert.equal(stub.count(PATHS.geocoding), 0);
  });

  it('accepts the maximum number of results, and no more', async () => {
    respond(...Array.from({ length: 100 }, () => place));
    assert.deepEqual(await find('Testville', 'FR'), { latitude: 1, longitude: 0 });
    respond(...Array.from({ length: 101 }, () => place));
    await assert.rejects(find('Testville', 'FR'), { kind: 'bad_answer', message: /more than 100/ });
  });

  it('finds no place in a response that has only the time that it took', async () => {
    for (const body of ['{"generationtime_ms":0.54}', '{"generationtime_ms":0,"results":[]}']) {
      stub.behave(PATHS.geocoding, { kind: 'status', status: 200, body });
      assert.equal(await find('Testville', 'FR'), undefined);
    }
  });

  for (const body of [
    ...['{}', '[]', '[{"name":"Testville"}]', 'null', 'true', '7', '"Testville"', '', '<html>'],
    ...['{"error":true}', '{"error":true,"reason":"The service is overloaded"}'],
    ...['{"generationtime_ms":0.5,"error":true}', '{"results":[],"error":true}'],
    ...['{"generationtime_ms":null}', '{"generationtime_ms":"0.5"}', '{"message":"Not found"}'],
    ...['{"results":null}', '{"results":{}}', '{"results":[null]}', '{"results":[{}]}'],
    ...['{"results":[["Testville"]]}', '{"results":[{"name":"","country_code":"FR"}]}'],
  ]) {
    it(`distinguishes a 200 that is not documented from an unknown place: ${body}`, async () => {
      stub.behave(PATHS.geocoding, { kind: 'status', status: 200, body });
      await assert.rejects(find('Testville', 'FR'), { name: 'UpstreamError', kind: 'bad_answer' });
    });
  }

  it('distinguishes a failure from an unknown place', async () => {
    const beyond = [
      ...[{ latitude: '51' }, { latitude: 90.1 }, { latitude: -90.1 }],
      ...[{ longitude: 180.1 }, { longitude: -180.1 }],
    ].map((position) => [{ ...place, ...position }]);
    for (const results of ['none', ...beyond]) {
      const body = JSON.stringify({ results });
      stub.behave(PATHS.geocoding, { kind: 'status', status: 200, body });
      const upstream = 'open-meteo-geocoding';
      await assert.rejects(find('Testville', 'FR'), { name: 'UpstreamError', upstream });
    }
    const body = '{"error":true,"reason":"Too many concurrent requests"}';
    stub.behave(PATHS.geocoding, { kind: 'status', status: 429, body });
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
