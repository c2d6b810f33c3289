/** Shows searches on the page. */
import { outageText } from '../messages/error-texts.js';
import { createMessageBox } from '../messages/message-box.js';
import { limitsText } from '../messages/status-texts.js';
import { createDaysSection } from '../place/days-section.js';
import { createHoursSection } from '../place/hours-section.js';
import { createNowCard } from '../place/now-card.js';
import { nameOf, type City } from '../service/queries.js';
import type { Clock } from './clock.js';
import { element } from './elements.js';
import { createFocus } from './focus.js';
import { createUnitForm } from './unit-form.js';
import type { View } from './view.js';

interface PageViewOptions {
  clock: Clock;
  linkTo: (city: City, label?: string) => HTMLElement;
  /** Closes the list of suggestions. */
  closeSuggestions: () => void;
}

export function createPageView({ clock, linkTo, closeSuggestions }: PageViewOptions): View {
  const status = element('status');
  const result = element('result');
  const unitForm = createUnitForm();
  const card = createNowCard(unitForm);
  const hours = createHoursSection(unitForm);
  const days = createDaysSection(unitForm);
  const messages = createMessageBox(clock);
  const focus = createFocus();
  /** Whether the weather of a place is on the page, dimmed or not. */
  let hasPlace = false;

  function setLoading(isLoading: boolean): void {
    result.classList.toggle('dimmed', isLoading && hasPlace);
    result.setAttribute('aria-busy', String(isLoading));
  }

  function hideWeather(): void {
    hasPlace = false;
    result.hidden = true;
    setLoading(false);
    card.hide();
    hours.hide();
    days.hide();
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
      element('welcome').hidden = false;
    },
    showStatus(text) {
      status.textContent = text;
    },
    startLoading(query) {
      status.textContent = `Loading the weather of ${nameOf(query)} …`;
      element('welcome').hidden = true;
      result.hidden = false;
      if (!hasPlace) card.showBlank(query);
      setLoading(true);
    },
    showConditions(query, response) {
      hasPlace = true;
      setLoading(false);
      card.show(query, response);
      focus.moveTo(card.heading);
    },
    hours,
    days: {
      ...days,
      show(response) {
        const today = days.show(response);
        if (today) card.showSun(today);
      },
    },
    showMessage(text) {
      messages.show(text);
    },
    clearMessage() {
      messages.clear();
      setLoading(false);
    },
    showError(text) {
      status.textContent = '';
      hideWeather();
      messages.show(text);
      focus.returnToField();
    },
    showOutage() {
      status.textContent = '';
      if (hasPlace) setLoading(true);
      else hideWeather();
      messages.show(outageText(navigator.onLine));
      focus.returnToField();
    },
    offerRetry(until, action) {
      messages.offerRetry(until, action);
    },
    offerChoices(choices) {
      messages.offerChoices(choices.map(({ city, label }) => linkTo(city, label)));
    },
    showLimits(limits) {
      element('limits').textContent = limits ? limitsText(limits, Date.now()) : '';
    },
  };
}
