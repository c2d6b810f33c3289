import type { Clock } from '../view/clock.js';
import { element, showLinks } from '../view/elements.js';
import { countdownText } from './status-texts.js';

/** The box for messages, with a countdown, a button to try again, and links to other places. */
export function createMessageBox(clock: Clock) {
  const section = element('message');
  const text = element('message-text');
  const countdown = element('countdown');
  const choices = element('choices');
  const again = element('again');
  let countdownTimer: ReturnType<typeof setInterval> | undefined;
  let retry: (() => void) | undefined;
  again.addEventListener('click', () => {
    retry?.();
  });

  function clear(): void {
    clearInterval(countdownTimer);
    section.hidden = true;
    again.hidden = true;
    text.textContent = '';
    countdown.textContent = '';
    choices.replaceChildren();
  }

  return {
    clear,
    show(message: string): void {
      clear();
      section.hidden = false;
      text.textContent = message;
    },
    /** Counts down, then shows a button that runs the action. @param until by the clock of the page */
    offerRetry(until: number, action: () => void): void {
      retry = action;
      const update = () => {
        countdown.textContent = countdownText(until - clock.now());
        again.hidden = clock.now() < until;
      };
      countdownTimer = setInterval(update, 250);
      update();
    },
    /** Adds links to places that the user may have meant. */
    offerChoices(links: HTMLElement[]): void {
      if (links.length === 0) return;
      text.textContent += ' Did you mean:';
      showLinks(choices, links);
    },
  };
}
