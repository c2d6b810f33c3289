import type { ComponentChildren } from 'preact';
import type { Hour } from '../state/api.js';
import { chanceText, type Formats } from './formats.js';
import { HALF_COLUMN, HoursChart } from './hours-chart.js';
import { HoursTable } from './hours-table.js';
import { shortDate } from './local-time.js';
import { timelineOf, type TimedHour, type Timeline } from './timeline.js';
import { WeatherIcon } from './weather-icon.js';

interface HoursProps {
  hours: Hour[];
  formats: Formats;
  now: number;
}

/** The next hours at a glance. Screen readers and printers get a table instead. */
export function Hours({ hours, formats, now }: HoursProps) {
  const timeline = timelineOf(hours, now);
  if (timeline.length === 0) return null;
  const legend = legendOf(timeline, formats);
  return (
    <section class="hours" aria-labelledby="hours-title">
      <h2 id="hours-title">Next hours</h2>
      <div
        class="strip"
        role="group"
        aria-label="Chart of the next hours. A table with the same values follows."
        tabIndex={0}
      >
        <div class="timeline" aria-hidden="true" style={{ '--hours': timeline.length }}>
          <DayLabels timeline={timeline} />
          <Labels
            name="icons"
            timeline={timeline}
            label={({ weather_code: code, is_day: isDay }) => (
              <WeatherIcon code={code} isDay={isDay} />
            )}
          />
          <Labels
            name="degrees"
            timeline={timeline}
            label={({ temperature }) => formats.degrees(temperature)}
          />
          <HoursChart timeline={timeline} />
          {legend && (
            <Labels
              name="amounts"
              timeline={timeline}
              label={(hour) => precipitationText(hour, formats)}
            />
          )}
          <Labels name="times" timeline={timeline} label={({ time }) => formats.shortTime(time)} />
        </div>
      </div>
      {legend && (
        <p class="small legend" aria-hidden="true">
          {legend}
        </p>
      )}
      <HoursTable hours={timeline.hours} formats={formats} />
    </section>
  );
}

/** The labels of the days, each of which stays visible while its day is. */
function DayLabels({ timeline: { days } }: { timeline: Timeline }) {
  return (
    <div class="dates">
      {days.map(({ date, from, to }) => (
        <span key={date} style={{ '--length': to - from + (from === 0 ? HALF_COLUMN : 0) }}>
          <b>{shortDate(date)}</b>
        </span>
      ))}
    </div>
  );
}

interface LabelsProps {
  name: string;
  timeline: Timeline;
  label: (hour: TimedHour) => ComponentChildren;
}

/** A row with one label for each hour. */
function Labels({ name, timeline: { hours }, label }: LabelsProps) {
  return (
    <div class={`labels ${name}`}>
      {hours.map((hour) => (
        <span key={hour.time} style={{ gridColumn: hour.at + 1 }}>
          {label(hour)}
        </span>
      ))}
    </div>
  );
}

/** Returns the amount of precipitation in an hour, or its chance if the provider has no amounts. */
function precipitationText(hour: Hour, { amount }: Formats): string {
  const { precipitation } = hour;
  if (precipitation === null) return chanceText(hour.precipitation_probability);
  return precipitation > 0 ? amount(precipitation) : '';
}

/** Explains the numbers below the chart; empty if there are none. */
function legendOf({ hours }: Timeline, formats: Formats): string {
  if (hours.some(({ precipitation }) => (precipitation ?? 0) > 0)) {
    return `${formats.amountUnit} of precipitation in each hour`;
  }
  const isLikely = hours.some((hour) => precipitationText(hour, formats) !== '');
  return isLikely ? 'Chance of precipitation in each hour' : '';
}
