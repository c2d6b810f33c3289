import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createOpenMeteo } from '../../../src/providers/open-meteo/open-meteo.js';
import { PATHS, type StubProvider } from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';

const TODAY = '2026-11-24';
const TOMORROW = '2026-11-25';

describe('the daily forecast of Open-Meteo', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();
  let stub: StubProvider;
  beforeEach(() => {
    ({ stub } = fixture);
  });

  const ask = () =>
    createOpenMeteo({ client: fixture.client, baseUrl: stub.url }).daily!(
      { latitude: 1, longitude: 2 },
      new AbortController().signal,
    );
  /** Responds with two days. A member that is undefined is missing. */
  const respond = (daily: Record<string, unknown>, timezone: unknown = 'Europe/Oslo') => {
    const complete = {
      time: [TODAY, TOMORROW],
      temperature_2m_min: [-1.04, 2],
      temperature_2m_max: [4.06, 9],
      weather_code: [61, 17],
      ...daily,
    };
    const body = JSON.stringify({ timezone, daily: complete });
    stub.behave(PATHS.openMeteo, { kind: 'status', status: 200, body });
  };

  it('is rounded, and has null for what the service does not report', async () => {
    const timezone = 'x'.repeat(100);
    respond({}, timezone);
    const missing = { precipitation_probability: null, sunrise: null, sunset: null };
    const today = { date: TODAY, temperature_min: -1, temperature_max: 4.1, ...missing };
    const tomorrow = { date: TOMORROW, temperature_min: 2, temperature_max: 9, ...missing };
    assert.deepEqual((await ask()).value, {
      timezone,
      days: [
        { ...today, condition: 'Slight rain' },
        { ...tomorrow, condition: 'Unknown' },
      ],
    });
    assert.equal(stub.calls[0]?.headers['accept-encoding'], 'identity');
    respond({ precipitation_probability_max: [0, 100.4] });
    const chances = (await ask()).value.days.map((day) => day.precipitation_probability);
    assert.deepEqual(chances, [0, 100]);
  });

  it('leaves out a day without a minimum, a maximum, or a condition', async () => {
    for (const name of ['temperature_2m_min', 'temperature_2m_max', 'weather_code']) {
      respond({ [name]: [null, 9] });
      const { days } = (await ask()).value;
      assert.deepEqual(
        days.map(({ date }) => date),
        [TOMORROW],
      );
      respond({ [name]: [null] });
      await assert.rejects(ask(), { kind: 'bad_answer', message: /no complete day/ });
    }
  });

  it('has no sunrise and no sunset during polar day and polar night', async () => {
    respond({
      sunrise: [`${TODAY}T00:00`, `${TOMORROW}T00:00`],
      sunset: [`${TODAY}T00:00`, '2026-11-26T00:00'],
    });
    for (const { sunrise, sunset } of (await ask()).value.days) {
      assert.deepEqual([sunrise, sunset], [null, null]);
    }
    respond({ sunrise: [`${TODAY}T00:01`, null], sunset: [`${TOMORROW}T00:00`, null] });
    const [first] = (await ask()).value.days;
    assert.deepEqual([first?.sunrise, first?.sunset], [`${TODAY}T00:01`, `${TOMORROW}T00:00`]);
  });

  it('is not read if a value is not what it must be', async () => {
    for (const daily of [
      { time: [TODAY, 'tomorrow'] },
      { time: Array.from({ length: 17 }, () => TODAY) },
      { temperature_2m_min: [10, 2], temperature_2m_max: [9, 9] },
      { sunrise: ['07:31', null] },
      { precipitation_probability_max: [-1, 0] },
      { precipitation_probability_max: [0, 101] },
    ]) {
      respond(daily);
      await assert.rejects(ask(), { kind: 'bad_answer' }, JSON.stringify(daily));
    }
    for (const timezone of [null, 'x'.repeat(101)]) {
      respond({}, timezone);
      await assert.rejects(ask(), { kind: 'bad_answer' });
    }
  });
});
