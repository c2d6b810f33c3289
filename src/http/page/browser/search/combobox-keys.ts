/** What a key does in the field with suggestions. */
export type KeyAction =
  { type: 'none' | 'choose' | 'close' | 'clear' | 'refresh' } | { type: 'activate'; index: number };

interface SuggestionState {
  optionCount: number;
  /** Index of the option that Enter chooses; -1: none. */
  active: number;
}

export function actionOf(
  { key, isComposing }: { key: string; isComposing: boolean },
  { optionCount, active }: SuggestionState,
): KeyAction {
  // The input method handles the keys while it composes a character.
  if (isComposing) return { type: 'none' };
  if (key === 'Escape') return { type: optionCount > 0 ? 'close' : 'clear' };
  if (key === 'Enter' && active >= 0) return { type: 'choose' };
  if ((key === 'ArrowDown' || key === 'ArrowUp') && optionCount > 0) {
    // Between the last and the first option is one stop at which no option is active.
    const stops = optionCount + 1;
    const step = key === 'ArrowDown' ? 1 : stops - 1;
    return { type: 'activate', index: ((active + 1 + step) % stops) - 1 };
  }
  return { type: key === 'ArrowDown' ? 'refresh' : 'none' };
}
