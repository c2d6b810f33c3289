import { element, showLinks } from './elements.js';

/** The one place for messages, with a countdown and what can be done about them. */
export function createMessages() {
  const section = element('message');
  const text = element('message-text');
  const countdown = element('countdown');
  const choices = element('choices');
  const again = element('again');
  let ticking: ReturnType<typeof setInterval> | undefined;
  let retry: (() => void) | undefined;
  again.addEventListener('click', () => {
    retry?.();
  });

  function clear(): void {
    clearInterval(ticking);
    section.hidden = again.hidden = true;
    text.textContent = countdown.textContent = '';
    choices.replaceChildren();
  }

  return {
    clear,
    show(message: string): void {
      clear();
      section.hidden = false;
      text.textContent = message;
    },
    /**
     * Counts down, then offers to try again.
     * @param until in milliseconds of `performance.now()`
     */
    offerRetry(until: number, action: () => void): void {
      retry = action;
      const tick = () => {
        const seconds = Math.ceil((until - performance.now()) / 1000);
        const when = seconds > 0 ? `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : 'now';
        countdown.textContent = `You can try again ${when}.`;
        again.hidden = seconds > 0;
        if (seconds <= 0) clearInterval(ticking);
      };
      ticking = setInterval(tick, 250);
      tick();
    },
    offer(links: HTMLElement[]): void {
      if (links.length === 0) return;
      text.textContent += ' Did you mean:';
      showLinks(choices, links);
    },
  };
}
