/** The card with the current weather. */
import type { Weather } from './api-client.js';
import { showAttribution } from './attribution.js';
import { element } from './elements.js';
import { nameOf } from './place-search.js';
import type { Units } from './units.js';
import { iconClasses } from './weather-icon.js';

/** Milliseconds between two updates of the age that the card shows. */
const AGE_INTERVAL_MS = 15_000;
const ago = new Intl.RelativeTimeFormat('en');

export function createWeatherCard(units: Units) {
  const card = element('card');
  const announcement = element('announcement');
  const heading = element('card-place');
  let weather: Weather | undefined;
  let fetchedAt = 0;

  units.onChange(showValues);
  setInterval(showAge, AGE_INTERVAL_MS);

  function showValues(): void {
    if (!weather) return;
    const temperature = units.temperature(weather.temperature);
    element('temperature').textContent = temperature;
    element('wind').textContent = units.wind(weather.wind_speed);
    document.title = `${temperature} ${nameOf(weather.location)}`;
  }

  function showAge(): void {
    element('age').textContent = ageText(Math.floor((Date.now() - fetchedAt) / 60_000));
  }

  return {
    heading,
    show(newWeather: Weather, headers: Headers): void {
      weather = newWeather;
      fetchedAt = Date.now() - Number(headers.get('Age')) * 1000;
      const { condition, humidity } = weather;
      const place = nameOf(weather.location);
      const isDay = headers.get('X-Weather-Is-Day') !== '0';
      heading.textContent = place;
      element('condition').textContent = condition;
      element('humidity').textContent = `${humidity} %`;
      element('icon').setAttribute('class', iconClasses(condition, isDay));
      element('stale').hidden = headers.get('X-Cache') !== 'STALE';
      showAttribution('source', headers);
      showValues();
      showAge();
      card.hidden = false;
      announcement.textContent = `${place}: ${units.temperature(weather.temperature)}, ${condition}.`;
    },
    hide(): void {
      card.hidden = true;
      document.title = 'Weather';
      announcement.textContent = '';
    },
  };
}

function ageText(minutes: number): string {
  if (minutes < 1) return 'Fetched just now.';
  if (minutes < 60) return `Fetched ${ago.format(-minutes, 'minute')}.`;
  return `Fetched ${ago.format(-Math.floor(minutes / 60), 'hour')}.`;
}
