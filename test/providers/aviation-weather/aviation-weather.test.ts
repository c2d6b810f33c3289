import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { areaOf } from '../../../src/providers/aviation-weather/aviation-weather-areas.js';
import { weatherOf } from '../../../src/providers/aviation-weather/aviation-weather-metar.js';
import { distancesFrom } from '../../../src/weather/distance.js';
import { dewPoint, feelsLike, relativeHumidity } from '../../../src/weather/feels-like.js';
import { roundedPlausibleValue } from '../../../src/weather/kinds/quantities.js';
import type { SendCall, WeatherProvider } from '../../../src/upstream/weather-provider.js';
import { testAbilities } from '../../contracts/abilities.js';
import { manualClock, type ManualClock } from '../../support/manual-clock.js';
import { providerAt } from '../../support/providers.js';
import { oneDecimal, PATHS } from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';
import { zoned } from '../../support/zoned.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What the whole knots and tenths of a degree of the stub provider say. */
const kmhOf = (ms: number) => oneDecimal(Math.round((ms * 3.6) / 1.852) * 1.852);
const humidityOf = (temperature: number, humidity: number) =>
  relativeHumidity(temperature, oneDecimal(dewPoint(temperature, humidity) ?? 0));
const COVER_PERCENT: Record<number, number | null> = { 0: null, 1: 19, 2: 44, 61: 75, 63: 75 };

testAbilities('aviation-weather', {
  current: {
    path: PATHS.aviationWeather,
    agesMs: [2 * HOUR_MS, 4 * HOUR_MS, -4 * HOUR_MS],
    badWeather: 'not_covered',
    callsAreas: true,
    values: [
      [0, 'temp'],
      [0, 'dewp'],
      [0, 'wspd'],
    ],
    derived: ['cloud_cover', 'dew_point', 'feels_like', 'pressure', 'visibility', 'wind_direction'],
    optional: [
      ['precipitation', [0, 'precip']],
      ['wind_gusts', [0, 'wgst']],
    ],
    conditions: ({ temperature, humidity, windMs, gustMs, visibility, direction, sky }) => ({
      humidity: roundedPlausibleValue('humidity', humidityOf(temperature, humidity))!,
      wind_speed: kmhOf(windMs),
      wind_gusts: kmhOf(gustMs),
      wind_direction: Math.round(direction / 10) * 10,
      feels_like: roundedPlausibleValue(
        'feels_like',
        feelsLike(
          temperature,
          humidityOf(temperature, humidity),
          Math.round((windMs * 3.6) / 1.852) * 1.852,
        ),
      ),
      cloud_cover: COVER_PERCENT[sky.wmo] === undefined ? 100 : COVER_PERCENT[sky.wmo]!,
      visibility: Math.round(Math.round(visibility / 16.09344) * 16.09344),
      precipitation: null,
    }),
  },
});

const NOW = Date.parse('2026-04-15T08:25:00Z');
const BERLIN = zoned({ latitude: 52.3667, longitude: 13.5033 });

/** A real report, shortened. A member that is undefined is absent. */
const EDDB = {
  ...{ icaoId: 'EDDB', receiptTime: '2026-04-15T08:23:26.210Z', obsTime: 1776241200 },
  ...{ temp: 12, dewp: 6, wdir: 'VRB', wspd: 2, visib: '6+', altim: 1025, qcField: 18 },
  ...{ metarType: 'METAR', rawOb: 'METAR EDDB 150820Z AUTO VRB02KT CAVOK 12/06 Q1025 NOSIG' },
  ...{ lat: 52.3807, lon: 13.5306, elev: 48, name: 'Berlin/Brandenburg Intl, BR, DE' },
  ...{ cover: 'CAVOK', clouds: [] as { cover: string }[] },
};

describe('the stations of aviationweather.gov', () => {
  const fixture = useStubProvider();
  let provider: WeatherProvider;
  let clock: ManualClock;
  beforeEach(() => {
    clock = manualClock(NOW);
    clock.advance(1);
    provider = providerAt('aviation-weather', fixture, { clock });
  });
  const ask = (point = BERLIN) => provider.current!(point, new AbortController().signal);
  const respond = (...reports: object[]) => {
    fixture.stub.respond(PATHS.aviationWeather, reports, { at: NOW });
  };
  const idOf = async (point = BERLIN) => (await ask(point)).value.station?.id;
  const calls = () => fixture.stub.count(PATHS.aviationWeather);

  it('are named with their distance and height', async () => {
    respond(EDDB);
    const { value } = await ask();
    assert.deepEqual(value.station, {
      ...{ id: 'EDDB', name: 'Berlin/Brandenburg Intl', distance_km: 2.4, elevation: 48 },
    });
    assert.equal(value.time, 1776241200_000);
  });

  it('are asked for by the documented parameters only', async () => {
    respond(EDDB);
    await ask();
    const { url } = fixture.stub.calls[0]!;
    assert.equal(
      decodeURIComponent(url),
      '/api/data/metar?format=json&bbox=51.7302,12.5489,53.2698,14.4511',
    );
  });

  it('are the nearest with a usable report', async () => {
    const near = { ...EDDB, icaoId: 'NEAR', lat: 52.37, lon: 13.51 };
    const unusable: object[] = [
      { temp: undefined },
      { temp: null },
      { dewp: undefined },
      { wspd: undefined },
      { obsTime: NOW / 1000 - 90 * 60 - 1 },
      { obsTime: NOW / 1000 + 10 * 60 + 1 },
      { obsTime: undefined },
      { cover: undefined, wxString: undefined },
      { temp: 99 },
      { metarType: 'SYNOP' },
      { rawOb: 'METAR NEAR 150820Z NIL' },
      { lat: undefined },
      { lat: 0, lon: 0 },
      { temp: '12' },
      { wxString: 5 },
      { clouds: ['FEW'] },
    ];
    for (const more of unusable) {
      clock.advance(11 * MINUTE_MS);
      respond({ ...near, ...more }, EDDB);
      assert.equal(await idOf(), 'EDDB', JSON.stringify(more));
    }
    const usable: object[] = [
      {},
      { obsTime: NOW / 1000 - 90 * 60 },
      { obsTime: NOW / 1000 + 10 * 60 },
      { cover: undefined, wxString: 'HZ' },
      { metarType: 'SPECI' },
      { metarType: undefined, rawOb: undefined },
    ];
    for (const more of usable) {
      clock.advance(11 * MINUTE_MS);
      respond({ ...near, ...more }, EDDB);
      assert.equal(await idOf(), 'NEAR', JSON.stringify(more));
    }
  });

  it('have their newest report, and its correction', async () => {
    const report = (minutes: number, temp: number, receiptTime = EDDB.receiptTime) => ({
      ...{ ...EDDB, obsTime: EDDB.obsTime + minutes * 60, temp, receiptTime },
    });
    const received = '2026-04-15T08:21:00.000Z';
    respond(report(-30, 7), report(0, 8, received), report(0, 9), report(-60, 10));
    assert.equal((await ask()).value.temperature, 9);
  });

  it('are at most 30 km away, and 100 m of height count as 10 km', async () => {
    const at = (icaoId: string, km: number, elev?: number) => ({
      ...{ ...EDDB, icaoId, lat: BERLIN.latitude + km / 111.195, lon: BERLIN.longitude, elev },
    });
    const rows: [stations: object[], elevation: number | undefined, id: string | undefined][] = [
      [[at('FAR', 29.9)], undefined, 'FAR'],
      [[at('FAR', 30.1)], undefined, undefined],
      [[at('LOW', 9, 50), at('HIGH', 2, 150)], undefined, 'HIGH'],
      [[at('LOW', 9, 50), at('HIGH', 2, 150)], 50, 'LOW'],
      [[at('LOW', 13, 50), at('HIGH', 2, 150)], 50, 'HIGH'],
      [[at('DEEP', 1, 699)], 1000, undefined],
      [[at('DEEP', 1, 700)], 1000, 'DEEP'],
      [[at('DEEP', 1, undefined)], 1000, 'DEEP'],
    ];
    for (const [stations, elevation, id] of rows) {
      clock.advance(11 * MINUTE_MS);
      respond(...stations);
      const got = await idOf({ ...BERLIN, elevation }).catch(() => undefined);
      assert.equal(got, id, JSON.stringify([stations.length, elevation, id]));
    }
  });

  it('are remembered as missing for ten minutes, whatever form an empty response has', async () => {
    for (const [status, body] of [
      [204, ''],
      [200, '[]'],
      [200, ''],
    ] as const) {
      clock.advance(11 * MINUTE_MS);
      fixture.stub.behave(PATHS.aviationWeather, { kind: 'status', status, body });
      assert.equal(provider.covers!(BERLIN), true);
      await assert.rejects(ask(), { kind: 'not_covered' });
      assert.equal(provider.covers!(BERLIN), false);
      assert.equal(provider.covers!({ latitude: 0, longitude: 0 }), true);
      clock.advance(10 * MINUTE_MS - 1);
      assert.equal(provider.covers!(BERLIN), false);
      clock.advance(2);
      assert.equal(provider.covers!(BERLIN), true);
    }
  });

  it('are asked for once in half a minute for all points of an area', async () => {
    respond(EDDB);
    const first = await ask();
    clock.advance(MINUTE_MS / 2 - 1);
    const neighbor = zoned({ latitude: 52.5, longitude: 13.4 });
    const second = await ask(neighbor);
    assert.equal(calls(), 1);
    assert.notEqual(second.value.station?.distance_km, first.value.station?.distance_km);
    assert.equal(second.referenceTime, first.referenceTime);
    assert.equal(second.sentAt, first.sentAt);
    clock.advance(2);
    const third = await ask();
    assert.equal(calls(), 2);
    assert.equal(third.sentAt! - first.sentAt!, MINUTE_MS / 2 + 1);
  });

  it('are not used again after a tenth of the TTL of an entry, so that a refresh is a call', async () => {
    provider = providerAt('aviation-weather', fixture, { clock, env: { CACHE_TTL_SECONDS: '10' } });
    respond(EDDB);
    await ask();
    clock.advance(999);
    await ask();
    assert.equal(calls(), 1);
    clock.advance(2);
    await ask();
    assert.equal(calls(), 2);
  });

  it('are judged by the time of their own response, if two responses have the reports of an area', async () => {
    const point = zoned({ latitude: 65, longitude: 179.99 });
    const report = { ...EDDB, lat: 65, lon: 179.9, obsTime: NOW / 1000 - 80 * 60 };
    const respond = (reports: object[], at: number) => {
      fixture.stub.respond(PATHS.aviationWeather, reports, { at });
    };
    const send: SendCall = async (call) => {
      const received = await call();
      clock.advance(20 * MINUTE_MS);
      respond([], NOW + 20 * MINUTE_MS);
      return received;
    };
    respond([report], NOW);
    const { value } = await provider.current!(point, new AbortController().signal, send);
    assert.equal(value.time, report.obsTime * 1000);
    assert.equal(calls(), 2);
  });

  it('are asked for once by fetches at the same time, of which one may end', async () => {
    respond(EDDB);
    const leaving = new AbortController();
    const first = provider.current!(BERLIN, leaving.signal);
    const second = ask(zoned({ latitude: 52.5, longitude: 13.4 }));
    const left = new Error('nobody waits');
    leaving.abort(left);
    await assert.rejects(first, (error) => error === left);
    assert.equal((await second).value.station?.id, 'EDDB');
    assert.equal(calls(), 1);
  });

  it('are not remembered after a failure', async () => {
    fixture.stub.behave(PATHS.aviationWeather, { kind: 'status', status: 500, body: '' });
    await assert.rejects(ask(), { kind: 'unavailable' });
    assert.equal(provider.covers!(BERLIN), true);
  });
});

it('an area contains everything near its points, also at 180° and at the poles', () => {
  const areas = [
    [0.5, 0.5],
    [-33.9, 151.2],
    [65, -179.99],
    [65, 179.99],
    [-17.8, 180],
    [90, -180],
    [-90, 0],
    [89.5, 10],
  ].map(([latitude = 0, longitude = 0]) => ({ latitude, longitude }));
  for (const point of areas) {
    const { boxes } = areaOf(point, 30);
    const ranges = boxes.map((box) => box.split(',').map(Number));
    for (const [south = 0, west = 0, north = 0, east = 0] of ranges) {
      assert.ok(south >= -90 && north <= 90 && west >= -180 && east <= 180, boxes.join(' '));
      assert.ok(south < north && west < east, boxes.join(' '));
    }
    const kmTo = distancesFrom(point);
    for (let degree = 0; degree < 360; degree += 5) {
      // A point 29 km away in each direction.
      const latitude = point.latitude + (29 / 111.195) * Math.cos((degree * Math.PI) / 180);
      const cos = Math.max(Math.cos((point.latitude * Math.PI) / 180), 1e-6);
      const east = point.longitude + ((29 / 111.195) * Math.sin((degree * Math.PI) / 180)) / cos;
      const longitude = ((((east + 180) % 360) + 360) % 360) - 180;
      if (Math.abs(latitude) > 90 || kmTo({ latitude, longitude }) > 30) continue;
      const isIn = ranges.some(
        ([s = 0, w = 0, n = 0, e = 0]) =>
          latitude >= s && latitude <= n && longitude >= w && longitude <= e,
      );
      assert.ok(isIn, `${latitude},${longitude} in ${boxes.join(' ')}`);
    }
  }
  assert.equal(areaOf({ latitude: 65, longitude: 179.5 }, 30).boxes.length, 2);
});

describe('a METAR', () => {
  const read = (more: object = {}) => weatherOf({ ...EDDB, ...more }, 2, NOW);

  it('has null for everything that is not reported', () => {
    const { wind_direction, visibility, cloud_cover, precipitation, wind_gusts, weather_code } =
      read()!;
    assert.deepEqual(
      [wind_direction, visibility, cloud_cover, precipitation, wind_gusts, weather_code],
      [undefined, undefined, undefined, undefined, undefined, 0],
    );
    // No calm, and no clear sky.
    assert.equal(read({ wspd: undefined, wdir: undefined })?.wind_speed, undefined);
    assert.equal(read({ cover: undefined, clouds: [] })?.weather_code, undefined);
    assert.equal(read({ cover: null, clouds: null, wxString: null })?.weather_code, undefined);
    assert.equal(read({ cover: 'NEW' })?.weather_code, undefined);
  });

  it('has its precipitation in millimeters', () => {
    assert.equal(read({ precip: 0.01 })?.precipitation?.toFixed(3), '0.254');
  });

  it('has a visibility in miles or a fraction of them, and none for a bound', () => {
    const meters = [7, 0.19, 0, '1.75', '1 1/2', '1/4', '2', '10+', '6+', 'P6SM', '', null].map(
      (visib) => {
        const { visibility } = read({ visib })!;
        return visibility == null ? visibility : Math.round(visibility);
      },
    );
    const none = Array<undefined>(5).fill(undefined);
    assert.deepEqual(meters, [11265, 306, 0, 2816, 2414, 402, 3219, ...none]);
  });

  it('has the pressure at sea level, or that for altimeters up to 500 m', () => {
    const rows: [more: object, pressure: number | undefined][] = [
      [{ slp: 1015.3, altim: 1016.3 }, 1015.3],
      [{ slp: 1015.3, altim: 1016.3, elev: 1600 }, 1015.3],
      [{ elev: 500 }, 1025],
      [{ elev: 501 }, undefined],
      [{ elev: undefined }, undefined],
      [{ altim: undefined }, undefined],
    ];
    for (const [more, pressure] of rows) {
      assert.equal(read(more)?.pressure, pressure, JSON.stringify(more));
    }
  });

  it('has the code of its present weather, or of its sky', () => {
    const rows: [code: number, wxStrings: string][] = [
      [51, '-DZ'],
      [53, 'DZ'],
      [55, '+DZ'],
      [56, '-FZDZ, FZDZ'],
      [57, '+FZDZ'],
      [61, '-RA, -RADZ'],
      [63, 'RA BR, UP'],
      [65, '+RA'],
      [66, '-FZRA, FZRA, FZUP, -RA FZRA'],
      [67, '+FZRA'],
      [71, '-SN, -RASN'],
      [73, 'SN FZFG, SNRA'],
      [75, '+SN BLSN'],
      [77, 'SG, IC, -PL, RA PL, GS'],
      [80, '-SHRA, -SHPL'],
      [81, 'SHRA, SHGS'],
      [82, '+SHRA'],
      [85, '-SHSN, SHSN, -SHRASN, SHPLSN, RA -SHSN'],
      [86, '+SHSN'],
      [95, 'TS, -TSRA, +TSRA, TSSN'],
      [96, 'TSGR, TSRAGS'],
      [99, '+TSRAGR BR, +TSRA GR'],
      [45, 'FG'],
      [48, 'FZFG'],
      // They say nothing of the sky, which is scattered.
      [
        2,
        'BR, HZ, FU, DU, SA, VA, PY, SQ, PO, DS, SS, FC, +FC, BLSN, DRSN, BLDU, VCTS, VCSH, VCFG',
      ],
      [2, 'RERA, MIFG, BCFG, PRFG, NSW, //, '],
    ];
    for (const [code, wxStrings] of rows) {
      for (const wxString of wxStrings.split(', ')) {
        assert.equal(read({ wxString, cover: 'SCT', visib: 4 })?.weather_code, code, wxString);
      }
    }
    assert.equal(read({ wxString: 'BCFG', visib: 0.5, cover: 'SCT' })?.weather_code, 45);
    assert.equal(read({ wxString: 'HZ', cover: undefined })?.weather_code, -1);
  });

  it('has the clouds of the sky, or of the thickest layer', () => {
    const rows: [more: object, code: number, percent: number | undefined][] = [
      [{ cover: 'SKC' }, 0, 0],
      [{ cover: 'CLR' }, 0, undefined],
      [{ cover: 'NSC' }, 0, undefined],
      [{ cover: 'NCD' }, 0, undefined],
      [{ cover: 'FEW' }, 1, 19],
      [{ cover: 'SCT' }, 2, 44],
      [{ cover: 'BKN' }, 3, 75],
      [{ cover: 'OVC' }, 3, 100],
      [{ cover: 'OVX' }, 3, 100],
      [{ cover: undefined, clouds: [{ cover: 'FEW' }, { cover: 'BKN' }, { cover: 'SCT' }] }, 3, 75],
    ];
    for (const [more, code, percent] of rows) {
      const { weather_code, cloud_cover } = read(more)!;
      assert.deepEqual([weather_code, cloud_cover], [code, percent], JSON.stringify(more));
    }
  });
});
