import { START } from './state/address.js';
import { setSystem, type System } from './state/store.js';

/** The name of the page, which leads to the start, and the choice of units. */
export function Header({ system }: { system: System }) {
  return (
    <header>
      <h1>
        <a href={START}>
          <img src="page/icon.svg" alt="" width="32" height="32" />
          Weather
        </a>
      </h1>
      <select
        aria-label="Units"
        value={system}
        onChange={({ currentTarget }) => {
          setSystem(currentTarget.value as System);
        }}
      >
        <option value="metric">Metric (°C)</option>
        <option value="imperial">Imperial (°F)</option>
      </select>
    </header>
  );
}
