import assert from 'node:assert/strict';
import { it } from 'node:test';
import { attributionOf } from '../../../src/config/providers.js';
import { description3 } from '../../../tools/openapi/index.js';
import { openPage, type OpenedPage } from '../../support/page.js';
import {
  airOf,
  conditionsOf,
  daysOf,
  failure,
  hoursOf,
  lateReply,
  rejected,
  timesFrom,
  unavailable,
  unreachable,
  type Reply,
} from '../../support/page-service.js';

/** How the page at `/` shows the weather of a place, and what it shows instead. */

const OSLO = { city: 'Oslo', country: 'Norway' };
const AT_OSLO = '?city=Oslo&country=Norway';
const LATER = '2026-11-25T22:00';

it('the first view requests no weather, and shows examples and, behind one link, how to call the API', async (t) => {
  const page = await openPage(t);
  assert.deepEqual(page.service.calls, ['GET api/v1/recent-searches']);
  assert.equal(page.all('.examples a').length, 6);
  assert.equal(page.one('footer details').getAttribute('open'), null);
  const [curl, answer] = page.texts('pre');
  assert.equal(curl, "curl 'http://localhost/api/v1/weather?city=Paris&country=France'");
  const { get } = description3.paths['/api/v1/weather']!;
  assert.ok(JSON.stringify(get).includes(answer!), answer);
  assert.doesNotMatch(page.text('footer details'), /mcp/);
  page.one('html').setAttribute('data-mcp', '');
  await page.click(page.one('h1 a'));
  assert.match(page.text('footer details'), /http:\/\/localhost\/mcp/);
  await page.searchFor('Limax');
  assert.equal(page.all('footer details').length, 1);
});

it('measured weather names the station, its distance, and the time', async (t) => {
  const station = { id: 'ENGM', name: 'Oslo/Gardermoen Arpt', distance_km: 12.3, elevation: 204 };
  const changes = { station, time: '2026-11-25T09:20+01:00' };
  for (const [language, text] of [
    ['en-GB', 'Measured at Oslo/Gardermoen Arpt, 12 km away, 09:20.'],
    ['de', 'Gemessen an der Station Oslo/Gardermoen Arpt, 12 km entfernt, 09:20.'],
  ] as const) {
    const page = await openPage(t, AT_OSLO, {
      language,
      instead: { conditions: () => conditionsOf(OSLO, {}, changes) },
    });
    assert.ok(page.text('.card').includes(text), page.text('.card'));
  }
  assert.doesNotMatch((await openPage(t, AT_OSLO)).text('.card'), /Measured/);
});

it('a returning user sees the last place, and can go to the start', async (t) => {
  const page = await openPage(t, '', { stored: { place: AT_OSLO } });
  assert.deepEqual([page.text('#card-place'), page.window.location.search], ['Oslo', AT_OSLO]);
  await page.click(page.one('h1 a'));
  assert.deepEqual([page.text('.place'), page.window.location.search], ['', '?start']);
  const start = await openPage(t, '?start', { stored: { place: AT_OSLO } });
  assert.deepEqual([start.text('.place'), start.all('.examples').length], ['', 1]);
});

it('the page starts with damaged values of the browser, such as those of another program of this origin', async (t) => {
  const recent = [null, 'Lima', { city: 1 }, { city: 'Lima', country: 'Peru' }];
  for (const [place, searches] of [
    [[1], { a: 1 }],
    ['https://other.example/?units&city=Oslo', recent],
    ['units&city=Oslo', recent],
  ]) {
    const page = await openPage(t, '', {
      stored: { place, recent: searches, units: 7 },
      instead: { 'recent-searches': () => unavailable(1) },
    });
    assert.deepEqual([page.all('.examples').length, page.window.location.search], [1, '']);
    assert.deepEqual(page.texts('.recent a'), searches === recent ? ['Lima, Peru'] : []);
  }
});

const CAMS = attributionOf('open-meteo', 'air')!;

it('the air has a number, a word, and a color, and pollen in Europe', async (t) => {
  const air = { european_aqi: 57, category: 'Moderate', resolution_km: 11 };
  const grains = { coverage: 'europe', alder_pollen: 0, birch_pollen: 12.4, grass_pollen: 0.3 };
  const page = await openPage(t, AT_OSLO, {
    instead: {
      'air-quality': () => airOf('air-quality', air, { 'X-Weather-Attribution': CAMS }),
      pollen: () => airOf('pollen', grains),
    },
  });
  assert.equal(page.text('.today > div:last-child'), 'Air quality57 Moderate');
  assert.match(page.one('.air').getAttribute('style') ?? '', /--warm/);
  assert.deepEqual(page.texts('.facts .wide > div'), [
    'Air qualityEuropean index, computed by a model (11 km), not measured at a station.',
    'Pollen per m³birch 12 · grass <1',
  ]);
  // Its URL is the same in each language.
  assert.deepEqual(page.service.callsFor('pollen'), ['GET api/v1/pollen?city=Oslo&country=Norway']);
  assert.match(page.text('.card > p:last-child'), /CAMS ENSEMBLE data provider/);
});

it('the air is left out if it is not available, without a message', async (t) => {
  const page = await openPage(t, AT_OSLO, { instead: { 'air-quality': () => unavailable(1) } });
  assert.doesNotMatch(page.text('.place'), /Air quality/);
  assert.equal(page.all('.message').length, 0);
  assert.deepEqual(page.service.callsFor('pollen'), []);
});

it('a view of a place costs four requests, and shows its facts, its source, and its age', async (t) => {
  const page = await openPage(t, AT_OSLO);
  assert.deepEqual(page.service.callsFor('Oslo'), [
    'GET api/v1/conditions?city=Oslo&country=Norway&lang=en',
    'GET api/v1/forecast/hourly?city=Oslo&country=Norway&lang=en&hours=168',
    'GET api/v1/forecast?city=Oslo&country=Norway&lang=en&days=14',
    'GET api/v1/air-quality?city=Oslo&country=Norway&lang=en',
  ]);
  assert.equal(page.document.title, '8°C Oslo');
  assert.deepEqual(page.texts('.card p'), [
    'Oslo: 8°C, Slight rain',
    'Somewhere, Norway',
    'Wednesday 01:00 local time',
    '8°C',
    'Slight rain',
    'Feels like 6°',
    'Fetched just now. Weather data by Open-Meteo.com, CC BY 4.0',
  ]);
  assert.deepEqual(page.texts('.today > div').slice(0, 4), [
    ...['High9°', 'Low4°', 'Sunrise06:05', 'Sunset18:20'],
  ]);
  assert.equal(page.one('.card a').getAttribute('href'), 'https://open-meteo.com/');
  assert.deepEqual(page.texts('.facts dl:first-of-type > div'), [
    'Wind11 km/h from the southwest',
    'Gusts24 km/h',
    'Precipitation0.4 mm/h',
    ...['Humidity87%', 'Dew point6°C', 'Pressure1,009 hPa', 'Cloud cover100%'],
  ]);
  await page.pass(120_000);
  assert.match(page.text('.card > p:last-child'), /^Fetched 2 minutes ago\./);
});

it('a user who wants to save data gets two days of hours instead of a week', async (t) => {
  const page = await openPage(t, AT_OSLO, { savesData: true });
  assert.match(page.service.callsFor('hourly').join(), /&hours=48$/);
});

it('a number that contradicts another one is not shown', async (t) => {
  const sky = { wind_speed: 30, wind_gusts: 12, weather_code: 51, precipitation: 0 };
  const page = await openPage(t, AT_OSLO, {
    instead: { conditions: () => conditionsOf(OSLO, {}, sky) },
  });
  assert.doesNotMatch(page.text('.facts'), /Gusts|Precipitation/);
  page.service.instead.conditions = () =>
    conditionsOf(OSLO, {}, { precipitation: 0.02, temperature: 11.3 });
  await page.searchFor('Oslo');
  assert.match(page.text('.facts'), /Precipitation<0\.1 mm\/h/);
  assert.match(page.text('.today'), /^High11°Low4°/);
});

it('the only hour of a date has its weekday alone, which does not cover the next date', async (t) => {
  const times = timesFrom('2026-11-24T23:00', '+12:00', 3);
  const hours = () => hoursOf(times.map((time) => ({ time, temperature: 1, is_day: false })));
  const page = await openPage(t, AT_OSLO, { instead: { hours } });
  assert.deepEqual(page.texts('.date th'), ['Tue', 'Wed 25']);
});

it('the hours begin now, with the day, the hour, and the precipitation where they belong', async (t) => {
  const half = (path: string) => (path.includes('Oslo') ? '+05:30' : '+14:00');
  const hours = (path: string) =>
    hoursOf(
      timesFrom('2026-11-24T15:30', half(path), 30).map((time, index) => ({
        ...{ time, temperature: index - 12, is_day: index < 3 },
        precipitation: index === 2 ? 0.04 : 0,
        precipitation_probability: 9,
      })),
    );
  const page = await openPage(t, AT_OSLO, { instead: { hours } });
  // 11:00 UTC is 16:30 at the place.
  assert.deepEqual(page.texts('.hours thead th'), [
    'Time',
    'Weather',
    'Temperature',
    'Feels like',
    'Precipitation (mm)',
    'Wind (km/h)',
  ]);
  assert.deepEqual(page.texts('.hours tbody tr').slice(0, 4), [
    'Tue 24',
    '16:30Slight rain−11°6°from the southwest 11',
    '17:30Slight rain−10°6°<0.1from the southwest 11',
    '18:30Slight rain−9°6°from the southwest 11',
  ]);
  assert.equal(page.one('.date th').getAttribute('aria-label'), 'Tuesday, 24 November');
  assert.equal(page.all('.hours [scope=row]').length, 29);
  // The hour from 23:30 is below the first date.
  assert.deepEqual(page.texts('.hours tr:last-child th[scope=row]'), ['23:30', '20:30']);
  assert.deepEqual(
    page
      .all('rect.amount')
      .slice(0, 3)
      .map((bar) => [bar.getAttribute('x'), Number(bar.getAttribute('height')) > 0]),
    [
      ['0.1', false],
      ['1.1', true],
      ['2.1', false],
    ],
  );

  page.service.instead.hours = () =>
    hoursOf(
      timesFrom('2026-11-25T01:00', '+14:00', 5).map((time) => ({
        ...{ time, weather_code: null, wind_speed: null },
        ...{ precipitation: null, precipitation_probability: 9 },
      })),
    );
  await page.searchFor('Lima');
  assert.deepEqual(page.texts('.hours thead th'), ['Time', 'Temperature', 'Feels like']);
});

it('the days have a sentence for screen readers, and open their details', async (t) => {
  const page = await openPage(t, AT_OSLO);
  assert.deepEqual(page.texts('.days .visually-hidden'), [
    'today, Wednesday, 25 November: Slight rain, 4° – 9°C, Chance of precipitation 62%, Precipitation 3.4 mm, Wind up to 18 km/h.',
    'Thursday, 26 November: Clear sky, −10° – 0°C, Chance of precipitation 4%, Precipitation 3.4 mm, Wind up to 18 km/h.',
  ]);
  assert.deepEqual(page.texts('.day'), ['Today4°9°62%3.4 mm18 km/h', 'Thu−10°0°3.4 mm18 km/h']);
  assert.match(page.text('.days dl'), /Precipitation3\.4 mm.*Gustsup to 40 km\/h.*Sunrise06:05/);
  page.service.instead.days = () => daysOf([{ date: '2026-11-24' }]);
  await page.searchFor('Potsdam, Germany');
  assert.equal(page.text('.days'), '');
  page.service.instead.days = () =>
    daysOf([{ date: '2026-11-25', sunrise: null, sunset: null, day_length: 0 }]);
  await page.searchFor('Lima');
  assert.match(page.text('.today'), /SunriseThe sun does not rise/);
});

it('the second week of days is shown on request', async (t) => {
  const page = await openPage(t, AT_OSLO);
  const dates = ['11-25', '11-26', '11-27', '11-28', '11-29', '11-30', '12-01', '12-02', '12-03'];
  page.service.instead.days = () => daysOf(dates.map((date) => ({ date: `2026-${date}` })));
  await page.searchFor('Lima');
  assert.equal(page.all('.days > ul > li').length, 7);
  assert.equal(page.text('.more > summary'), 'More days');
  assert.equal(page.all('.more > ul > li').length, 2);
});

it('the units and the clock are those of the browser, or the units that were chosen', async (t) => {
  const page = await openPage(t, AT_OSLO, { language: 'en-US' });
  assert.match(page.text('.card'), /47°F.*Wednesday 1:00 AM|Wednesday 1:00 AM.*47°F/);
  assert.match(page.text('.facts'), /Wind7 mph.*Precipitation0\.02 in\/h.*29\.8 inHg/);
  assert.match(page.text('.hours th[scope=row]'), /1 AM$/);
  await page.user.selectOptions(page.one('select') as never, 'metric');
  await page.pass(0);
  assert.match(page.text('.temperature'), /^8°C$/);
  assert.equal(page.window.localStorage['units'], '"metric"');
  const british = await openPage(t, AT_OSLO, { language: 'en-GB', stored: { units: 'imperial' } });
  assert.equal(british.text('.temperature'), '47°F');
});

it('a response to an earlier search is never shown, and the page says what is loading', async (t) => {
  const page = await openPage(t);
  const [conditions, days] = [lateReply(), lateReply()];
  page.service.instead.conditions = () => conditions.reply;
  await page.searchFor('Lima');
  assert.match(page.text('.place'), /^Loading the weather for Lima, Peru …/);
  page.service.instead = { days: () => days.reply };
  await page.searchFor('Potsdam, Germany');
  assert.match(page.text('.skeleton'), /^Next days/);
  page.service.instead = {};
  const late = lateReply();
  page.service.instead.conditions = () => late.reply;
  await page.searchFor('Oslo');
  assert.match(page.text('.place'), /^Loading the weather for Oslo, Norway …/);
  late.send(conditionsOf(OSLO));
  conditions.send(conditionsOf({ city: 'Lima', country: 'Peru' }));
  days.send(unavailable(1));
  await page.pass(0);
  assert.equal(page.text('#card-place'), 'Oslo');
  assert.equal(page.text('[role=alert]'), '');
});

const fromProxy = (body: unknown, status = 500): Reply => ({
  ...{ status, body: body as object, headers: { 'Content-Security-Policy': '' } },
});

it('after a failed search, the examples, the recent searches, and a button remain', async (t) => {
  const page = await openPage(t);
  await page.searchFor('Lima');
  for (const [reply, text] of [
    [() => unavailable(2), /^why$/],
    [() => rejected(40), /^why$/],
    [() => failure(500, 'Internal server error'), /^The service has failed\. Request ID: abc$/],
    [() => fromProxy(null), /^The service has failed\./],
    [() => fromProxy(null, 200), /^The service does not respond\.$/],
    [() => fromProxy({}, 502), /^The service does not respond\.$/],
    [unreachable, /^The service does not respond\.$/],
  ] as [() => Reply, RegExp][]) {
    page.service.instead.conditions = reply;
    await page.searchFor('Oslo, Norway');
    assert.match(page.text('[role=alert]'), text);
    assert.deepEqual([page.text('.place'), page.all('.examples a').length], ['', 6]);
    assert.deepEqual(page.texts('.recent a'), ['Lima, Peru']);
    assert.deepEqual([page.document.activeElement.id, page.document.title], ['place', 'Weather']);
  }
  page.service.instead = {};
  await page.click(page.one('.message button'));
  assert.equal(page.text('#card-place'), 'Oslo');
  page.service.instead.conditions = unreachable;
  page.define('onLine', false);
  await page.searchFor('Lima');
  assert.equal(page.text('[role=alert]'), 'You are offline.');
  page.service.instead = {};
  page.window.dispatchEvent(new page.window.Event('online'));
  await page.pass(0);
  assert.equal(page.text('#card-place'), 'Lima');
});

it('invalid input has no button, and an unknown city has links to similar ones', async (t) => {
  const page = await openPage(t, '?city=Olso&country=Norway');
  assert.equal(page.text('[role=alert]'), 'why');
  assert.deepEqual(page.texts('.message a'), ['Oslo, Norway', 'Os, Norway']);
  assert.equal(page.all('.message button').length, 0);
});

it('one sentence says that data is old, or that the hours and days are unavailable', async (t) => {
  const stale = { 'X-Cache': 'STALE', Age: '7200', 'X-Weather-Provider': 'demo' };
  const instead = {
    conditions: () => conditionsOf(OSLO, stale),
    hours: () => hoursOf(undefined, stale),
    days: () =>
      daysOf(undefined, { ...stale, 'X-Weather-Attribution': 'MET <javascript:alert()>' }),
  };
  const page = await openPage(t, AT_OSLO, { instead });
  assert.equal(
    page.texts('.warning').filter((text) => text.includes('provider responds')).length,
    1,
  );
  assert.match(
    page.text('.card > p:last-child'),
    /^Fetched 2 hours ago\. Weather data.* MET <javascript/,
  );
  page.service.instead = { hours: () => unavailable(9), days: () => rejected(9) };
  await page.searchFor('Lima');
  assert.match(
    page.text('[role=alert]'),
    /^The next hours are unavailable at the moment\. The next days are/,
  );
  page.service.instead = {};
  await page.click(page.one('.message button'));
  assert.deepEqual([page.text('[role=alert]'), page.all('.days li').length], ['', 2]);
});

const askedFor = ({ service }: OpenedPage) => service.callsFor('/conditions').length;

it('a tab that is shown again after a while fetches anew, and keeps what it has if that fails', async (t) => {
  const page = await openPage(t, AT_OSLO);
  const show = async () => {
    page.document.dispatchEvent(new page.window.Event('visibilitychange'));
    await page.pass(0);
  };
  await page.pass(899_000);
  await show();
  assert.equal(askedFor(page), 1);
  page.service.instead.conditions = unreachable;
  const setHidden = (value: boolean) =>
    Object.defineProperty(page.document, 'hidden', { value, configurable: true });
  setHidden(true);
  await page.pass(1000);
  await show();
  assert.equal(askedFor(page), 1);
  setHidden(false);
  await show();
  assert.deepEqual([askedFor(page), page.text('#card-place')], [2, 'Oslo']);
  assert.equal(page.text('[role=alert]'), 'The service does not respond.');
  page.service.instead = {
    hours: () => hoursOf(timesFrom(LATER, '+14:00', 3).map((time) => ({ time }))),
  };
  await page.pass(900_000);
  assert.deepEqual([askedFor(page), page.text('[role=alert]')], [3, '']);
  assert.match(page.text('.hours th[scope=row]'), /22:00$/);
});

it('the hours and days that are shown stay if they cannot be fetched anew', async (t) => {
  const page = await openPage(t, AT_OSLO);
  const shown = () => [page.all('.hours [scope=row]').length, page.all('.days li').length];
  const before = shown();
  page.service.instead = { hours: () => unavailable(5), days: unreachable };
  await page.pass(930_000);
  assert.deepEqual([askedFor(page), shown(), page.text('[role=alert]')], [2, before, '']);
});

it('an amount that is not zero is never shown as zero, in any unit', async (t) => {
  const page = await openPage(t, AT_OSLO);
  const tiny = { precipitation: 0.02, wind_speed: 0.2, wind_gusts: 0.3 };
  const now = { ...tiny, visibility: 7, uv_index: 0.2, is_day: true };
  const snow = { precipitation: 0.01, snowfall: 0.01, wind_speed_max: 0.4, uv_index_max: 0.3 };
  page.service.instead = {
    conditions: () => conditionsOf(OSLO, {}, now),
    hours: () => hoursOf([{ ...tiny, time: '2026-11-25T01:00+14:00' }]),
    days: () => daysOf([{ ...snow, date: '2026-11-25' }]),
  };
  for (const system of ['metric', 'imperial']) {
    await page.user.selectOptions(page.one('select') as never, system);
    await page.searchFor('Oslo');
    const texts = [...page.texts('.facts dd'), ...page.texts('.days dd'), ...page.texts('td')];
    texts.push(...page.texts('.rain-and-wind > *'));
    const zeros = texts.filter((text) => /^(?:up to |from .* )?0(?:\.0+)?(?![.\d°])/.test(text));
    assert.deepEqual(zeros, [], system);
    assert.equal(page.text('.rain-and-wind > b'), system === 'metric' ? '<0.1 mm' : '<0.01 in');
  }
});

it('of the days around a principal phase of the moon, one has its name', async (t) => {
  const page = await openPage(t, AT_OSLO);
  for (let start = 0; start < 1; start += 0.0371) {
    const moons = Array.from({ length: 14 }, (_, index) => (start + index * 0.0339) % 1);
    const dates = moons.map((_, index) => new Date(Date.UTC(2026, 10, 25 + index)));
    page.service.instead.days = () =>
      daysOf(
        moons.map((phase, index) => ({
          date: dates[index]!.toISOString().slice(0, 10),
          moon_phase: Math.round(phase * 1000) / 1000,
        })),
      );
    await page.searchFor('Lima');
    const names = page.texts('.days dl > div').filter((text) => text.startsWith('Moon'));
    const principal = names.filter((name) => /New|quarter|Full/.test(name));
    assert.equal(new Set(principal).size, principal.length, names.join());
    assert.ok(principal.length >= 1 && principal.length <= 2, names.join());
  }
});

it('the UV index is not shown at night', async (t) => {
  const page = await openPage(t, AT_OSLO);
  for (const isDay of [true, false]) {
    page.service.instead.conditions = () => conditionsOf(OSLO, {}, { uv_index: 3, is_day: isDay });
    await page.searchFor('Oslo');
    assert.equal(page.text('.facts').includes('UV index3'), isDay);
  }
});
