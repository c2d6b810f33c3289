import type { Page } from 'playwright-core';
import { SCENARIOS } from './page-scenarios.js';

/** Responds in a browser to requests for the weather of a city named like a scenario. */
export async function recordWeather(page: Page): Promise<void> {
  // The first hour of the scenarios has begun.
  await page.clock.setFixedTime('2026-11-25T12:30:00Z');
  await page.route(/\/api\/v1\/(conditions|forecast)/, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const scenario = SCENARIOS[searchParams.get('city') ?? 'Cloudy'];
    if (!scenario) {
      await route.fallback();
      return;
    }
    const { conditions, hours, days } = scenario;
    const forecast = pathname.includes('/hourly') ? hours : days;
    const {
      status = 200,
      body,
      headers = {},
    } = pathname.includes('conditions') ? conditions : forecast;
    await route.fulfill({ status, json: body, headers });
  });
}
