/** Shows searches on the page. */
import type { Clock } from './clock.js';
import { element } from './elements.js';
import { createFocus } from './focus.js';
import { createForecastList } from '../place/forecast-list.js';
import { createMessageBox } from '../messages/message-box.js';
import type { City } from '../service/questions.js';
import { limitsText } from '../messages/status-texts.js';
import { createUnitForm } from './unit-form.js';
import type { View } from './view.js';
import { createWeatherCard } from '../place/weather-card.js';

interface PageViewOptions {
  clock: Clock;
  linkTo: (city: City) => HTMLElement;
  /** Closes the list of suggestions. */
  closeSuggestions: () => void;
}

export function createPageView({ clock, linkTo, closeSuggestions }: PageViewOptions): View {
  const status = element('status');
  const unitForm = createUnitForm();
  const card = createWeatherCard(unitForm);
  const forecast = createForecastList(unitForm);
  const messages = createMessageBox(clock);
  const focus = createFocus();

  function hideWeather(): void {
    card.hide();
    forecast.hide();
  }

  return {
    begin() {
      focus.begin();
      closeSuggestions();
      status.textContent = '';
    },
    clear() {
      messages.clear();
      hideWeather();
    },
    showStatus(text) {
      status.textContent = text;
    },
    showWeather(weather, headers) {
      card.show(weather, headers);
      focus.moveTo(card.heading);
    },
    beginForecast() {
      return forecast.begin();
    },
    showForecast(days, headers) {
      forecast.show(days, headers);
    },
    showForecastError: forecast.showError,
    showMessage(text) {
      messages.show(text);
    },
    clearMessage: messages.clear,
    showError(text) {
      status.textContent = '';
      hideWeather();
      messages.show(text);
      focus.moveTo(element('place'));
    },
    offerRetry(until, action) {
      messages.offerRetry(until, action);
    },
    offerCities(cities) {
      messages.offerChoices(cities.map(linkTo));
    },
    showLimits(limits) {
      if (limits) element('limits').textContent = limitsText(limits, Date.now());
    },
  };
}
