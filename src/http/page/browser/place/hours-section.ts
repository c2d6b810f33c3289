/** The next hours at a glance: labels, a curve, and bars. Screen readers get a table instead. */
import type { ApiResponse, Hour, Hours } from '../service/weather-api.js';
import { create, element } from '../view/elements.js';
import type { UnitForm } from '../view/unit-form.js';
import type { Units } from '../view/units.js';
import { amountText, chanceText } from './day-texts.js';
import { createChart } from './hours-chart.js';
import { createHoursTable } from './hours-table.js';
import { createIcon } from './icon.js';
import { clockTime, shortWeekday } from './local-time.js';
import { createSection } from './section.js';
import { columnsOf, HOURS_PER_COLUMN, timelineOf, type Column } from './timeline.js';

export function createHoursSection(unitForm: UnitForm) {
  const section = createSection('hours', () => {
    hours = [];
    showHours();
  });
  let hours: Hour[] = [];

  unitForm.onChange(showHours);

  function showHours(): void {
    const units = unitForm.units();
    const isEmpty = hours.length === 0;
    element('hours-strip').replaceChildren(...(isEmpty ? [] : stripOf(hours, units)));
    element('hours-legend').textContent = isEmpty ? '' : legendOf(hours, units);
    element('hours-table').replaceChildren(...(isEmpty ? [] : [createHoursTable(hours, units)]));
  }

  return {
    ...section,
    show({ body, headers }: ApiResponse<Hours>): void {
      section.show(headers);
      hours = body.hours;
      showHours();
    },
  };
}

/** Creates the rows of the strip, from top to bottom. */
function stripOf(hours: Hour[], units: Units): Element[] {
  const timeline = timelineOf(hours);
  const columns = columnsOf(timeline);
  const row = (name: string, cell: (column: Column, index: number) => (Node | string)[]) =>
    create(
      'div',
      columns.map((column, index) => create('span', cell(column, index))),
      `labels ${name}`,
    );
  return [
    row('icons', ({ middle }) => (middle ? [createIcon(middle.weather_code, middle.is_day)] : [])),
    row('degrees', ({ middle }) => (middle ? [`${units.degrees(middle.temperature)}°`] : [])),
    createChart(timeline),
    row('rain', (column) => [rainText(column, units)]),
    row('times', ({ middle }, index) => timeLabel(middle, columns[index - 1]?.middle)),
  ];
}

/** Explains the numbers of the strip. */
function legendOf(hours: Hour[], units: Units): string {
  const has = (member: 'precipitation' | 'precipitation_probability') =>
    hours.some((hour) => hour[member] !== null);
  const per = `precipitation per ${HOURS_PER_COLUMN} hours`;
  const chance = has('precipitation_probability') ? [`chance of ${per}`] : [];
  const rain = has('precipitation') ? [`${units.amountUnit} of ${per}`] : chance;
  return [units.temperatureUnit, ...rain].join(' · ');
}

/** The amount of precipitation in a column, or its chance if the provider has no amounts. */
function rainText({ precipitation, probability }: Column, units: Units): string {
  return precipitation === null ? chanceText(probability) : amountText(precipitation, units);
}

/** Returns the hour, after the weekday if the column before has another weekday. */
function timeLabel(hour: Hour | undefined, before: Hour | undefined): (Node | string)[] {
  if (!hour) return [];
  const time = clockTime(hour.time).replace(':00', '');
  const isOtherDay = before && before.time.slice(0, 10) !== hour.time.slice(0, 10);
  return isOtherDay ? [create('b', shortWeekday(hour.time)), ` ${time}`] : [time];
}
