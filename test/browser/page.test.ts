import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endOf, partsOf, searchFor, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';
import { PATHS, stubWeather } from '../support/stub-provider.js';

/** The page at `/` while everything works. */

const fixture = useService();
const chromium = useBrowser();
const open = (query = '', options = {}) => chromium.open(`${fixture.url}/${query}`, options);

const SEATTLE = '?city=Seattle&country=USA';
const POTSDAM = { latitude: 52.4009, longitude: 13.0591 };

describe('a search', () => {
  it('starts with a click on a suggestion', async () => {
    const page = await open();
    const { field, options, shows } = partsOf(page);
    await field.fill('pots');
    const first = options.first();
    assert.equal(await first.innerText(), 'Potsdam Brandenburg, Germany');
    await first.click();
    await shows('Potsdam, Germany');
    assert.equal(await field.inputValue(), 'Potsdam, Germany');
    assert.equal(await options.count(), 0);
  });

  it('has suggestions that match an incomplete country or region', async () => {
    const page = await open();
    const { field, options } = partsOf(page);
    for (const [text, first] of [
      ['Paris, Te', 'Paris Texas, United States'],
      ['Potsdam, USA', 'Potsdam New York, United States'],
      ['Abidjan, Cote', "Abidjan Abidjan Autonomous District, Côte d'Ivoire"],
      ['Springfield, Illinois, United', 'Springfield Illinois, United States'],
    ] as const) {
      await field.fill(text);
      await options.first().waitFor();
      assert.equal(await options.first().innerText(), first);
    }
  });

  it('works with the keyboard alone', async () => {
    const page = await open();
    const { field, options, status, shows, recent } = partsOf(page);
    const press = (key: string) => page.keyboard.press(key);
    const active = () => field.getAttribute('aria-activedescendant');
    const expanded = () => field.getAttribute('aria-expanded');

    await press('Tab');
    await page.keyboard.type('munch');
    await options.first().waitFor();
    const count = await options.count();
    assert.equal(await status.innerText(), `${count} suggestions.`);
    assert.deepEqual([await expanded(), await active()], ['true', null]);

    await press('ArrowUp');
    assert.equal(await active(), `suggestion-${count - 1}`);
    await press('ArrowDown');
    assert.equal(await active(), null);
    await press('ArrowDown');
    assert.equal(await active(), 'suggestion-0');
    assert.equal(await options.first().getAttribute('aria-selected'), 'true');

    await press('Escape');
    assert.deepEqual([await expanded(), await active()], ['false', null]);
    assert.equal(await field.inputValue(), 'munch');
    await press('ArrowDown');
    await options.first().waitFor();
    await press('ArrowDown');
    await press('Enter');
    await shows('Munich, Germany');

    // The list of recent searches is loaded after the weather.
    await recent.waitFor();
    // Search, Use my location, two choices of units, the link of the source: then the recent searches.
    for (let stop = 0; stop < 6; stop++) await press('Tab');
    await recent.and(page.locator(':focus')).waitFor();
  });

  it('accepts free text: with a country, without one, without a comma, in other scripts', async () => {
    const page = await open();
    const { shows } = partsOf(page);
    for (const [text, place] of [
      ['Potsdam, Germany', 'Potsdam, Germany'],
      ['  potsdam ,  DE ', 'potsdam, DE'],
      ['Springfield, Illinois, USA', 'Springfield, Illinois, USA'],
      ['Tehran, Iran, Islamic Republic of', 'Tehran, Iran, Islamic Republic of'],
      ['北京，中国', '北京, 中国'],
      ['Potsdam', 'Potsdam, Germany'],
      ['San José Costa Rica', 'San José, Costa Rica'],
    ] as const) {
      await searchFor(page, text);
      await shows(place);
    }
  });

  it('shows the weather of the provider, its attribution, and its age', async () => {
    const page = await open(SEATTLE);
    const { card, shows } = partsOf(page);
    await shows('Seattle, USA');
    const call = fixture.stub.calls.findLast(({ path }) => path === PATHS.openMeteo)!;
    const given = stubWeather(Number(call.query['latitude']), Number(call.query['longitude']));
    const text = (await card.innerText()).replaceAll('−', '-');
    for (const part of [
      `${given.temperature} °C`,
      given.sky.text,
      `${given.humidity} %`,
      `${given.windKmh} km/h`,
      'Fetched just now.',
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    const source = card.getByRole('link', { name: 'Weather data by Open-Meteo.com' });
    assert.equal(await source.getAttribute('href'), 'https://open-meteo.com/');
    assert.equal(await page.title(), `${given.temperature} °C Seattle, USA`.replace('-', '−'));
  });

  it('works by a link, after a reload, and with the back button', async () => {
    const page = await open(SEATTLE);
    const { field, shows, card } = partsOf(page);
    await shows('Seattle, USA');
    await searchFor(page, 'Oslo, Norway');
    await shows('Oslo, Norway');
    assert.equal(new URL(page.url()).search, '?city=Oslo&country=Norway');
    await page.reload();
    await shows('Oslo, Norway');
    assert.equal(await field.inputValue(), 'Oslo, Norway');
    await page.goBack();
    await shows('Seattle, USA');
    await page.goto(`${fixture.url}/`);
    assert.equal(await card.isVisible(), false);
  });

  it('shows the weather in the last chosen units', async () => {
    const page = await open(SEATTLE);
    const { card, shows } = partsOf(page);
    await shows('Seattle, USA');
    await page.getByRole('radio', { name: '°F' }).check();
    await page.getByRole('radio', { name: 'mph' }).check();
    const check = async () => {
      await card.getByText(/[\d.]+ °F/).waitFor();
      await card.getByText(/[\d.]+ mph/).waitFor();
      assert.equal(await card.getByText(/[\d.]+ (?:°C|km\/h)/).count(), 0);
    };
    await check();
    assert.match(await page.title(), /^[−\d.]+ °F Seattle, USA$/);
    await page.reload();
    await shows('Seattle, USA');
    await check();
  });

  it('marks invented weather, and shows the remaining requests', async () => {
    const demo = await fixture.replica({ WEATHER_PROVIDERS: 'demo', RATE_LIMIT_PER_IP: '30' });
    const page = await chromium.open(`${demo.url}/${SEATTLE}`);
    await page.locator('#source').getByText('Invented weather for development').waitFor();
    // The weather and the forecast are two requests.
    const words = /^28 of 30 requests remain\. One more becomes available at \d\d:\d\d:\d\d\.$/;
    await partsOf(page).limits.getByText(words).waitFor();
  });

  it('shows the weather of the last search, however late an earlier response is', async () => {
    const page = await open();
    const { field, place, shows } = partsOf(page);
    fixture.stub.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 1500, times: 1 });
    const first = page.waitForRequest(/city=Lima/);
    await searchFor(page, 'Lima, Peru');
    const over = endOf(page, await first);
    await searchFor(page, 'Quito, Ecuador');
    await shows('Quito, Ecuador');
    await over;
    assert.equal(await place.innerText(), 'Quito, Ecuador');
    assert.equal(await field.inputValue(), 'Quito, Ecuador');
  });
});

describe('the button "Use my location"', () => {
  it('shows the nearest city, and does not send the exact position', async () => {
    const page = await open('', { geolocation: POTSDAM, permissions: ['geolocation'] });
    const { here, shows } = partsOf(page);
    await here.click();
    await shows('Potsdam, Germany');
    assert.equal(new URL(page.url()).search, '?lat=52.40&lon=13.06');
    await page.reload();
    await shows('Potsdam, Germany');
  });

  it('asks for the name of a city if the browser may not use the location', async () => {
    const page = await open();
    const { here, message } = partsOf(page);
    await here.click();
    await message.getByText('may not use your location').waitFor();
    assert.match(await message.innerText(), /type the name of a city/);
  });
});

describe('the recent searches', () => {
  it('are the same in all tabs, repeat a search, and can be cleared', async () => {
    const one = await open();
    const two = await one.context().newPage();
    await two.goto(`${fixture.url}/`);
    const [here, there] = [partsOf(one), partsOf(two)];
    for (const city of ['Oslo, Norway', 'Seattle, USA']) {
      await searchFor(one, city);
      await here.shows(city);
    }
    await there.recent.nth(1).waitFor();
    assert.deepEqual(await there.recent.allInnerTexts(), ['Seattle, USA', 'Oslo, Norway']);

    await there.recent.nth(1).click();
    await there.shows('Oslo, Norway');
    await here.recent.first().getByText('Oslo, Norway').waitFor();
    assert.deepEqual(await here.recent.allInnerTexts(), ['Oslo, Norway', 'Seattle, USA']);

    await here.clear.click();
    await there.clear.waitFor({ state: 'hidden' });
    await one.reload();
    await here.shows('Seattle, USA');
    // The reload is a search for the place in the address.
    await here.recent.first().waitFor();
    assert.deepEqual(await here.recent.allInnerTexts(), ['Seattle, USA']);
  });
});

describe('the page without JavaScript', () => {
  it('has a hint, and its form opens the JSON response', async () => {
    const page = await open('', { javaScriptEnabled: false });
    await page.getByText('The API does not need it').waitFor();
    await page.getByLabel('City', { exact: true }).fill('Seattle');
    await page.getByLabel('Country', { exact: true }).fill('USA');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('"city":"Seattle"').waitFor();
    assert.equal(await page.getByRole('combobox').count(), 0);
  });
});
