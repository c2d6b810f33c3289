/**
 * Returns the index of the option that is active after an arrow key. Between the last and the first option is one stop
 * at which no option is active (-1).
 */
export function activeAfter(
  key: 'ArrowDown' | 'ArrowUp',
  active: number,
  optionCount: number,
): number {
  const stops = optionCount + 1;
  const step = key === 'ArrowDown' ? 1 : stops - 1;
  return ((active + 1 + step) % stops) - 1;
}
