/** The icons for the weather. */
import { element } from '../view/elements.js';
import { iconClasses } from './sky.js';

/** Copies the icon of the page, for another weather code. */
export function createIcon(code: number | null, isDay = true): Element {
  const icon = element('icon').cloneNode(true) as Element;
  icon.removeAttribute('id');
  icon.setAttribute('class', iconClasses(code, isDay));
  return icon;
}
