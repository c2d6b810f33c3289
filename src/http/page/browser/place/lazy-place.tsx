import { nameOf } from '../state/queries.js';
import type { Place as PlaceType, PlaceProps } from './place.js';
import { Skeleton } from './skeleton.js';

let Place: typeof PlaceType | undefined;

/** Loads the code that shows weather. The first view does not need it. @throws if the service does not respond */
export async function loadPlace(): Promise<void> {
  ({ Place } = await import('./place.js'));
}

/** The weather of a place, or what stands there while it is loading. */
export function LazyPlace(props: PlaceProps) {
  const { weather, query } = props.page;
  if (weather && Place) return <Place {...props} weather={weather} />;
  return (
    <div class="place">
      <Skeleton name="card" text={`Loading the weather of ${query ? nameOf(query) : ''} …`} />
      <Skeleton name="hours" text="Next hours …" />
      <Skeleton name="days" text="Next days …" />
    </div>
  );
}
