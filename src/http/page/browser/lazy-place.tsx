import type { State } from './state/page-state.js';
import { nameOf } from './state/queries.js';
import type * as PlaceModule from './place/place.js';

let placeModule: typeof PlaceModule | undefined;

/** Loads the code that shows weather. The first view does not need it. @throws if the service does not respond */
export async function loadPlace(): Promise<void> {
  placeModule = await import('./place/place.js');
}

/** The weather of a place, or placeholders while it is loading. */
export function LazyPlace({ page }: { page: State }) {
  const { weather, query } = page;
  if (weather && placeModule) return <placeModule.PlaceWeather page={page} weather={weather} />;
  return (
    <div class="place">
      <Skeleton name="card" text={`Loading the weather of ${query ? nameOf(query) : ''} …`} />
      <Skeleton name="hours" text="Next hours …" />
      <Skeleton name="days" text="Next days …" />
    </div>
  );
}

/** A part of the weather that is loading: its text, and the space that it needs. */
export function Skeleton({ name, text }: { name: string; text: string }) {
  return (
    <div class={`skeleton ${name}`} aria-busy="true">
      <p>
        {text} <span>This takes longer than usual.</span>
      </p>
    </div>
  );
}
