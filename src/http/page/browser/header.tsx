import type { Actions } from './state/actions.js';
import { START } from './state/actions.js';
import type { System } from './place/units.js';

const SYSTEMS = [
  ['metric', 'Metric'],
  ['imperial', 'Imperial'],
] as const;

/** The name of the page, which leads to the start, and the choice of units. */
export function Header({ system, actions }: { system: System; actions: Actions }) {
  return (
    <header>
      <h1>
        <a
          href={START}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            actions.start();
          }}
        >
          <img src="page/icon.svg" alt="" width="32" height="32" />
          Weather
        </a>
      </h1>
      <fieldset class="units">
        <legend class="visually-hidden">Units</legend>
        {SYSTEMS.map(([value, name]) => (
          <label key={value}>
            <input
              type="radio"
              name="units"
              value={value}
              checked={value === system}
              onChange={() => {
                actions.setSystem(value);
              }}
            />
            {name}
          </label>
        ))}
      </fieldset>
    </header>
  );
}
