/** The card with the current weather. */
import { isStale, type Weather } from '../service/api-client.js';
import { showAttribution } from './attribution.js';
import { element } from '../view/elements.js';
import { ageText } from '../messages/status-texts.js';
import type { UnitForm } from '../view/unit-form.js';
import { weatherTexts } from './weather-texts.js';

/** Milliseconds between two updates of the age that the card shows. */
const AGE_INTERVAL_MS = 15_000;

export function createWeatherCard(unitForm: UnitForm) {
  const card = element('card');
  const announcement = element('announcement');
  const heading = element('card-place');
  let shown: { weather: Weather; headers: Headers } | undefined;
  let fetchedAt = Date.now();

  unitForm.onChange(showValues);
  setInterval(showAge, AGE_INTERVAL_MS);

  /** Shows what depends on the units. */
  function showValues(): void {
    if (!shown) return;
    const texts = weatherTexts(shown.weather, shown.headers, unitForm.units());
    element('temperature').textContent = texts.temperature;
    element('wind').textContent = texts.wind;
    document.title = texts.title;
  }

  function showAge(): void {
    element('age').textContent = ageText(Date.now() - fetchedAt);
  }

  return {
    heading,
    show(weather: Weather, headers: Headers): void {
      shown = { weather, headers };
      fetchedAt = Date.now() - Number(headers.get('Age')) * 1000;
      const texts = weatherTexts(weather, headers, unitForm.units());
      heading.textContent = texts.place;
      element('condition').textContent = weather.condition;
      element('humidity').textContent = texts.humidity;
      element('icon').setAttribute('class', texts.icon);
      element('stale').hidden = !isStale(headers);
      showAttribution('source', headers);
      showValues();
      showAge();
      card.hidden = false;
      announcement.textContent = texts.announcement;
    },
    hide(): void {
      card.hidden = true;
      document.title = 'Weather';
      announcement.textContent = '';
    },
  };
}
