import assert from 'node:assert/strict';
import { createMoon } from '../../src/weather/time/moon.js';
import { sunTimes } from '../../src/weather/time/sun.js';
import type { Answer } from './http-client.js';
import { codeOfText, stubForecast } from './stub-provider.js';

/** The body of a response with a daily forecast. */
export interface ForecastBody {
  location: object;
  timezone: string;
  days: { date: string; sunrise: string | null; sunset: string | null }[];
}

/** The target of a forecast for a city. */
export function forecastOf(city: string, country: string, days?: string): string {
  const parameters = { city, country, ...(days === undefined ? {} : { days }) };
  return `/api/v1/forecast?${new URLSearchParams(parameters).toString()}`;
}

/** The target of a forecast for coordinates. */
export function forecastAt(lat: string, lon: string, days?: string): string {
  const parameters = { lat, lon, ...(days === undefined ? {} : { days }) };
  return `/api/v1/forecast/coordinates?${new URLSearchParams(parameters).toString()}`;
}

/** The required response if the stub provider answered for a point. Today is the date there. */
export function expectedForecast(point: string, count: number) {
  const [latitude = 0, longitude = 0] = point.split(',').map(Number);
  const { timezone, days } = stubForecast(latitude, longitude, count, Date.now());
  const moonOn = createMoon({ latitude, longitude }, timezone);
  const completed = days.map((day) => ({
    ...day,
    weather_code: codeOfText(day.condition),
    ...sunTimes({ latitude, longitude }, timezone, day.date),
    ...moonOn(day.date),
  }));
  return { timezone, days: completed };
}

/** The body of a response that must be 200. */
export function forecastIn(answer: Answer): ForecastBody {
  assert.equal(answer.status, 200, answer.text);
  return answer.json as ForecastBody;
}
