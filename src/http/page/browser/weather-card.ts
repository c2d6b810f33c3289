/** The card with the current weather. */
import type { Weather } from './api-client.js';
import { showAttribution } from './attribution.js';
import { element } from './elements.js';
import { nameOf } from './questions.js';
import { ageText } from './status-texts.js';
import type { UnitForm } from './unit-form.js';
import { iconClasses } from './weather-icon.js';

/** Milliseconds between two updates of the age that the card shows. */
const AGE_INTERVAL_MS = 15_000;

export function createWeatherCard(unitForm: UnitForm) {
  const card = element('card');
  const announcement = element('announcement');
  const heading = element('card-place');
  let weather: Weather | undefined;
  let fetchedAt = 0;

  unitForm.onChange(showValues);
  setInterval(showAge, AGE_INTERVAL_MS);

  function showValues(): void {
    if (!weather) return;
    const units = unitForm.units();
    const temperature = units.temperature(weather.temperature);
    element('temperature').textContent = temperature;
    element('wind').textContent = units.wind(weather.wind_speed);
    document.title = `${temperature} ${nameOf(weather.location)}`;
  }

  function showAge(): void {
    element('age').textContent = ageText(Date.now() - fetchedAt);
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
      const temperature = unitForm.units().temperature(weather.temperature);
      announcement.textContent = `${place}: ${temperature}, ${condition}.`;
    },
    hide(): void {
      card.hidden = true;
      document.title = 'Weather';
      announcement.textContent = '';
    },
  };
}
