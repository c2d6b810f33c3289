/** The next days: each with a bar from its lowest to its highest temperature, all on one scale. */
import { timeOf } from '../service/api-client.js';
import type { ApiResponse, Day, Days } from '../service/weather-api.js';
import { create, createSvg, element } from '../view/elements.js';
import type { UnitForm } from '../view/unit-form.js';
import type { Units } from '../view/units.js';
import { dayTexts } from './day-texts.js';
import { createIcon } from './icon.js';
import { dateAt } from './local-time.js';
import { createSection } from './section.js';

/** Degrees of the scale at least, so that small differences look small. */
const MIN_SPAN = 4;

export function createDaysSection(unitForm: UnitForm) {
  const list = element('days-list');
  const section = createSection('days', () => {
    days = [];
    showDays();
  });
  let days: Day[] = [];
  /** The date at the place; empty if the browser does not know the time zone. */
  let today = '';

  unitForm.onChange(showDays);

  function showDays(): void {
    const units = unitForm.units();
    const scale = scaleOf(days);
    list.replaceChildren(...days.map((day) => dayItem(day, today, units, scale)));
  }

  return {
    ...section,
    /** @returns today, if the forecast has it */
    show({ body, headers }: ApiResponse<Days>): Day | undefined {
      section.show(headers);
      days = body.days;
      today = dateAt(body.timezone, timeOf(headers));
      showDays();
      return days.find(({ date }) => date === today);
    },
  };
}

/** The lowest temperature of all days, and the number of degrees up to the highest one. */
interface Scale {
  lowest: number;
  span: number;
}

function scaleOf(days: Day[]): Scale {
  const lowest = Math.min(...days.map((day) => day.temperature_min));
  const highest = Math.max(...days.map((day) => day.temperature_max));
  return { lowest, span: Math.max(highest - lowest, MIN_SPAN) };
}

/** Creates the row of a day. Screen readers get one sentence instead of its parts. */
function dayItem(day: Day, today: string, units: Units, scale: Scale): HTMLElement {
  const { weekday, minimum, maximum, chance, amount, sentence } = dayTexts(day, today, units);
  const row = create(
    'div',
    [
      create('span', weekday, 'weekday'),
      createIcon(day.weather_code),
      create('span', chance, chance && 'chance'),
      create('span', amount, 'amount'),
      create('span', minimum, 'minimum'),
      barOf(day, scale),
      create('b', maximum),
    ],
    'day',
  );
  row.title = day.condition;
  row.setAttribute('aria-hidden', 'true');
  return create('li', [create('span', sentence, 'visually-hidden'), row]);
}

/** Creates the bar of a day: lines with round ends, which are visible even if both temperatures are equal. */
function barOf({ temperature_min: minimum, temperature_max: maximum }: Day, scale: Scale): Element {
  const at = (degrees: number) => `${(((degrees - scale.lowest) / scale.span) * 100).toFixed(1)}%`;
  const line = (name: string, x1: string, x2: string) =>
    createSvg('line', { class: name, x1, x2, y1: 4, y2: 4 });
  const cold = minimum < 0 ? [line('cold', at(minimum), at(Math.min(maximum, 0)))] : [];
  const warm = maximum >= 0 ? [line('warm', at(Math.max(minimum, 0)), at(maximum))] : [];
  return createSvg('svg', { class: 'bar' }, [line('scale', '0', '100%'), ...cold, ...warm]);
}
