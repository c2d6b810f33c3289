import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createNames } from '../../src/redis/names.js';
import { keyOf } from '../../src/weather/kind.js';
import { kinds } from '../support/kinds.js';

interface Sample {
  key: string;
  /** JSON in the data of a job. */
  request: string;
  /** JSON in a cache entry. */
  values: string[];
  /** JSON that must not be read. */
  notRequests: string[];
  notValues: string[];
}

/** The version of the queue, and the kinds of its jobs. */
const KINDS = '{:queue6} forecast hourly position weather';

/**
 * What a version writes to Redis for each kind. If a sample is red, raise the numbers of `entry`, `queue`, and `fetched` in
 * src/redis/names.ts (unless they are higher than in the last release already), then write the new sample here.
 */
const SAMPLES: Record<string, Sample> = {
  weather: {
    key: 'weather:52.5244:13.4105',
    request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
    values: [
      '{"temperature":10,"condition":"Partly cloudy","humidity":54,"wind_speed":81}',
      '{"temperature":-9.5,"condition":"Unknown","humidity":100,"wind_speed":0}',
      '{"temperature":10,"condition":"Partly cloudy","humidity":54,"wind_speed":81,"time":1795655700000,"feels_like":7.5,"dew_point":-1.1,"pressure":1009.2,"cloud_cover":100,"precipitation":0.25,"wind_direction":360,"wind_gusts":99.9,"visibility":24140,"uv_index":3.2}',
      '{"temperature":10,"condition":"Partly cloudy","humidity":54,"wind_speed":81,"feels_like":null,"visibility":null}',
    ],
    notRequests: ['null', '{}', '{"point":{"latitude":91,"longitude":0}}', '[52.5244,13.4105]'],
    notValues: [
      'null',
      '{"temperature":10,"condition":"Partly cloudy","humidity":54}',
      '{"temperature":1000,"condition":"Partly cloudy","humidity":54,"wind_speed":81}',
      '{"temperature":10,"condition":"Frogs","humidity":54,"wind_speed":81}',
      '{"temperature":10,"condition":"Overcast","humidity":54,"wind_speed":81,"time":"2026-11-24T07:44"}',
      '{"temperature":10,"condition":"Overcast","humidity":54,"wind_speed":81,"time":1e300}',
      '{"temperature":10,"condition":"Overcast","humidity":54,"wind_speed":81,"pressure":"1009"}',
      '{"temperature":10,"condition":"Overcast","humidity":54,"wind_speed":81,"wind_direction":361}',
      '{"temperature":10,"condition":"Overcast","humidity":54,"wind_speed":81,"cloud_cover":50.5}',
    ],
  },
  forecast: {
    key: 'forecast:52.5244:13.4105',
    request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
    values: [
      '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":-1.5,"temperature_max":4,"condition":"Slight rain","precipitation_probability":100,"sunrise":"2026-11-24T07:44","sunset":"2026-11-24T15:59"}]}',
      '{"timezone":"America/Argentina/Buenos_Aires","days":[{"date":"2026-11-24","temperature_min":-1.5,"temperature_max":4,"condition":"Slight rain","precipitation_probability":100,"sunrise":null,"sunset":null,"precipitation":3.45,"wind_speed_max":30.1,"wind_gusts_max":null,"uv_index_max":0}]}',
      '{"timezone":"Etc/GMT-1","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":4,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null}]}',
    ],
    notRequests: ['null', '{}', '{"point":{"latitude":91,"longitude":0}}', '[52.5244,13.4105]'],
    notValues: [
      'null',
      '{"timezone":"Europe/Berlin","days":[]}',
      '{"timezone":"Europe Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null}]}',
      '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null,"precipitation":-1}]}',
      '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null,"wind_speed_max":"5 mph"}]}',
      '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Frogs","precipitation_probability":null,"sunrise":null,"sunset":null}]}',
      '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":99,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null}]}',
      '{"timezone":"Europe/Berlin","days":[{"date":"today","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":null,"sunrise":null,"sunset":null}]}',
      '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":101,"sunrise":null,"sunset":null}]}',
      '{"timezone":"Europe/Berlin","days":[{"date":"2026-11-24","temperature_min":4,"temperature_max":9,"condition":"Unknown","precipitation_probability":null,"sunrise":"7:44","sunset":null}]}',
    ],
  },
  hourly: {
    key: 'hourly:52.5244:13.4105',
    request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
    values: [
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    ],
    notRequests: ['null', '{}', '{"point":{"latitude":91,"longitude":0}}', '[52.5244,13.4105]'],
    notValues: [
      'null',
      '{"timezone":"Asia/Kathmandu","time":[],"temperature":[],"weather_code":[],"feels_like":[],"humidity":[],"cloud_cover":[],"precipitation":[],"precipitation_probability":[],"wind_speed":[],"wind_direction":[],"wind_gusts":[]}',
      '{"timezone":"","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795658400000,1795654800000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795654800000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1e+300],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":["2026-11-26T01:00Z","2026-11-26T02:00Z"],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,null],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,99],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,4],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,"3"],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,101],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87.5,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":"0.45","precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,-1],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
      '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_gusts":[24.1,null]}',
    ],
  },
  position: {
    key: 'position:springfield:US',
    request: '{"city":"Springfield","countryCode":"US","name":"springfield:US"}',
    values: ['null', '{"latitude":39.80172,"longitude":-89.64371}'],
    notRequests: ['null', '{"city":"Springfield","countryCode":"US"}', '"springfield:US"'],
    notValues: ['{}', '{"latitude":39.80172}', '{"latitude":"39.8","longitude":"-89.6"}', 'false'],
  },
};

describe('what is stored for each kind', () => {
  it('has a sample', () => {
    const message =
      'Add a sample of each new kind to SAMPLES. Workers of the last release drop jobs of a kind that they do not know';
    assert.deepEqual(Object.keys(SAMPLES).sort(), [...kinds.keys()].sort(), message);
  });

  it('belongs to the version of the queue that these kinds have', () => {
    const message =
      'If the kinds change, raise `queue` in src/redis/names.ts, unless this release has raised it, and update KINDS';
    const queue = createNames('', 0).queue;
    assert.equal(`${queue} ${[...kinds.keys()].sort().join(' ')}`, KINDS, message);
  });

  it('has keys that docs/storage.md lists, and the name of the kind contains no colon', () => {
    const storage = readFileSync('docs/storage.md', 'utf8');
    for (const name of kinds.keys()) {
      assert.match(name, /^[a-z0-9-]+$/);
      assert.ok(
        storage.includes(`\`${name}:<`),
        `docs/storage.md does not name the keys of '${name}'`,
      );
    }
  });

  for (const [name, sample] of Object.entries(SAMPLES)) {
    it(`${name} is read as it was written, and nothing else is`, () => {
      const kind = kinds.get(name);
      assert.ok(kind, `the kind '${name}' is not registered`);
      const request: unknown = JSON.parse(sample.request);
      assert.ok(kind.isRequest(request));
      assert.equal(keyOf(kind, request), sample.key);
      const parsed = (texts: string[]) => texts.map((text) => JSON.parse(text) as unknown);
      for (const value of parsed(sample.values)) {
        assert.deepEqual(kind.readValue(value), value);
      }
      for (const other of parsed(sample.notRequests)) assert.equal(kind.isRequest(other), false);
      for (const other of parsed(sample.notValues)) {
        assert.equal(kind.readValue(other), undefined);
      }
    });

    it(`${name} is not read if an array in it is 1,000 times as long`, () => {
      const kind = kinds.get(name)!;
      for (const text of sample.values) {
        const longer = JSON.parse(text, (_key, value: unknown) =>
          Array.isArray(value) ? Array<unknown[]>(1000).fill(value).flat() : value,
        ) as unknown;
        if (JSON.stringify(longer) === text) continue;
        assert.equal(kind.readValue(longer), undefined, text);
      }
    });
  }
});
