/** Moves the keyboard focus if the part of the page that has it disappears, or a search has left the field. */
import { element } from './elements.js';

export function createFocus() {
  const field = element('place');
  /** Whether the focus was in the field, or in a part that the response replaces. */
  let isMoving = false;

  function moveTo(target: HTMLElement): void {
    const isLost = document.activeElement === document.body || isReplaced();
    if (isMoving && isLost) target.focus();
    isMoving = false;
  }

  return {
    /** Remembers where the focus is before a search, and leaves the field, so that a phone closes its keyboard. */
    begin(): void {
      isMoving ||= document.activeElement === field || isReplaced();
      field.blur();
    },
    /** Moves the focus to the target, unless the user has moved it meanwhile. */
    moveTo,
    /** Returns the focus to the field, unless that opens the keyboard of a phone over the message. */
    returnToField(): void {
      if (!matchMedia('(pointer: coarse)').matches) moveTo(field);
    },
  };
}

function isReplaced(): boolean {
  return document.activeElement?.closest('#message, #recent, #welcome') != null;
}
