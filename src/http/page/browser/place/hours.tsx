import type { ComponentChildren } from 'preact';
import type { Hour } from '../state/api.js';
import { chanceText, type Formats } from './formats.js';
import { HoursChart } from './hours-chart.js';
import { HoursTable } from './hours-table.js';
import { shortDate, shortTime } from './local-time.js';
import { timelineOf } from './timeline.js';
import { WeatherIcon } from './weather-icon.js';

interface HoursProps {
  hours: Hour[];
  formats: Formats;
  now: number;
}

/** The next hours at a glance. Screen readers and printers get a table instead. */
export function Hours({ hours: all, formats, now }: HoursProps) {
  const timeline = timelineOf(all, now);
  const { hours, days } = timeline;
  if (hours.length === 0) return null;
  const legend = legendOf(hours, formats);
  return (
    <section class="hours" aria-labelledby="hours-title">
      <h2 id="hours-title">Next hours</h2>
      <div
        class="strip"
        role="group"
        aria-label="Chart of the next hours. A table with the same values follows."
        tabIndex={0}
      >
        <div class="timeline" aria-hidden="true" style={{ '--hours': hours.length }}>
          <div class="dates">
            {days.map(({ date, from, to }) => (
              <span key={date} style={{ '--length': to - from }}>
                <b>{shortDate(date)}</b>
              </span>
            ))}
          </div>
          {labels('icons', (hour) => (
            <WeatherIcon code={hour.weather_code} isDay={hour.is_day} />
          ))}
          {labels('degrees', ({ temperature }) => formats.degrees(temperature))}
          <HoursChart timeline={timeline} />
          {legend && labels('amounts', (hour) => precipitationText(hour, formats))}
          {labels('times', ({ time }) => shortTime(time))}
        </div>
      </div>
      {legend && (
        <p class="small legend" aria-hidden="true">
          {legend}
        </p>
      )}
      <HoursTable hours={hours} formats={formats} />
    </section>
  );

  /** Returns a row with a label for each hour. */
  function labels(name: string, labelOf: (hour: Hour) => ComponentChildren) {
    return (
      <div class={`labels ${name}`}>
        {hours.map((hour) => (
          <span key={hour.time}>{labelOf(hour)}</span>
        ))}
      </div>
    );
  }
}

/** Returns the amount of precipitation in an hour, or its chance if the provider has no amounts. */
function precipitationText(hour: Hour, { amount }: Formats): string {
  const { precipitation } = hour;
  if (precipitation === null) return chanceText(hour.precipitation_probability);
  return precipitation > 0 ? amount(precipitation) : '';
}

/** Explains the numbers below the chart; empty if there are none. */
function legendOf(hours: Hour[], formats: Formats): string {
  if (hours.every((hour) => precipitationText(hour, formats) === '')) return '';
  const hasAmounts = hours.some(({ precipitation }) => precipitation !== null);
  const what = hasAmounts ? `${formats.amountUnit} of precipitation` : 'Chance of precipitation';
  return `${what} in each hour`;
}
