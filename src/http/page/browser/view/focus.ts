/** Moves the keyboard focus if the part of the page that has it disappears. */
export function createFocus() {
  /** Whether the focus was in a part that the response replaces. */
  let isMoving = false;
  return {
    /** Remembers where the focus is before a search. */
    begin(): void {
      isMoving ||= isReplaced();
    },
    /** Moves the focus to the target if it was in a replaced part, and the user has not moved it meanwhile. */
    moveTo(target: HTMLElement): void {
      const isLost = document.activeElement === document.body || isReplaced();
      if (isMoving && isLost) target.focus();
      isMoving = false;
    },
  };
}

function isReplaced(): boolean {
  return document.activeElement?.closest('#message, #recent') != null;
}
