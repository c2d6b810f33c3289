import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../support/conformance.js';
import { ask, type Answer } from '../support/http-client.js';

const PATH = '/api/v1/forecast/hourly';
const HOUR_MS = 3_600_000;

interface Hour {
  time: string;
  temperature: number;
  condition: string;
  is_day: boolean;
}
interface Body {
  location: object;
  place: { city: string; timezone: string };
  timezone: string;
  hours: Hour[];
}

const bodyOf = ({ status, json, text }: Answer): Body => {
  assert.equal(status, 200, text);
  return json as Body;
};

describe('the hourly forecast', () => {
  const fixture = useService({ WEATHER_PROVIDERS: 'demo' }, 'redis');

  it('has the next 24 hours of a city, with every member in order', async () => {
    const asked = Date.now();
    const body = bodyOf(await ask(`${fixture.url}${PATH}?city=Kathmandu&country=Nepal`));
    assert.deepEqual(Object.keys(body), ['location', 'place', 'timezone', 'hours']);
    assert.deepEqual(body.location, {
      ...{ city: 'Kathmandu', country: 'Nepal', latitude: null, longitude: null },
    });
    const { place, timezone, hours } = body;
    assert.deepEqual(
      [place.city, place.timezone, timezone],
      ['Kathmandu', 'Asia/Kathmandu', 'Asia/Kathmandu'],
    );
    assert.equal(hours.length, 24);
    const members = [
      ...['time', 'temperature', 'feels_like', 'condition', 'weather_code', 'is_day', 'humidity'],
      ...['cloud_cover', 'precipitation', 'precipitation_probability', 'wind_speed'],
      ...['wind_direction', 'wind_gusts'],
    ];
    assert.deepEqual(
      Object.keys(hours[0]!).filter((name) => members.includes(name)),
      members,
    );
    const times = hours.map(({ time }) => Date.parse(time));
    // A new hour may have begun since the request.
    const present = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    assert.ok(times[0]! <= present && times[0]! > asked - HOUR_MS);
    for (const [index, { time }] of hours.entries()) {
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:45\+05:45$/);
      assert.equal(times[index], times[0]! + index * HOUR_MS);
    }
  });
});
