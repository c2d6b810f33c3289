import assert from 'node:assert/strict';
import type { Answer } from './http-client.js';
import { dailyWeather, datesFrom, stubDay, stubPlace, today } from './stub-provider.js';

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

/** What the service must respond with if Open-Meteo's stub answered for a point. Today is the date there. */
export function expectedForecast(point: string, count: number, warmerBy = 0) {
  const [latitude = 0, longitude = 0] = point.split(',').map(Number);
  const place = stubPlace(latitude, longitude, warmerBy);
  const days = datesFrom(today(place), count).map((date) => ({
    ...dailyWeather(stubDay(place, date)),
    sunrise: `${date}T07:31`,
    sunset: `${date}T16:23`,
  }));
  return { timezone: place.timeZone, days };
}

/** The body of a response that must be 200. */
export function forecastIn(answer: Answer): ForecastBody {
  assert.equal(answer.status, 200, answer.text);
  return answer.json as ForecastBody;
}
