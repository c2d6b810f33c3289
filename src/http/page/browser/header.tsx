import { PageLink } from './search/page-link.js';
import { START, type Actions } from './state/actions.js';
import type { System } from './place/formats.js';

/** The name of the page, which leads to the start, and the choice of units. */
export function Header({ system, actions }: { system: System; actions: Actions }) {
  return (
    <header>
      <h1>
        <PageLink href={START} onFollow={actions.start}>
          <img src="page/icon.svg" alt="" width="32" height="32" />
          Weather
        </PageLink>
      </h1>
      <select
        aria-label="Units"
        value={system}
        onChange={({ currentTarget }) => {
          actions.setSystem(currentTarget.value as System);
        }}
      >
        <option value="metric">Metric (°C)</option>
        <option value="imperial">Imperial (°F)</option>
      </select>
    </header>
  );
}
