import { degrees } from '../weather-values.js';
import type { Point } from '../../weather/types.js';

/** Length of a degree of latitude in km. */
const KM_PER_DEGREE = 111.2;

/**
 * The area of one degree that contains a point, as its key and the boxes that contain everything
 * within a distance of its points. A box is `south,west,north,east`. What the service does with a
 * box across 180° is not documented, so there are two boxes then.
 */
export function areaOf({ latitude, longitude }: Point, reachKm: number) {
  const [row, column] = [Math.min(Math.floor(latitude), 89), Math.floor(longitude)];
  const reach = reachKm / KM_PER_DEGREE;
  const [south, north] = [Math.max(row - reach, -90), Math.min(row + 1 + reach, 90)];
  const narrowest = Math.cos((Math.max(-south, north) * Math.PI) / 180);
  // Near a pole, the box is the whole circle.
  const width = Math.min(reach / Math.max(narrowest, 1e-9), 180);
  const [west, east] = [column - width, column + 1 + width];
  return {
    key: `${row},${column}`,
    boxes: longitudes(west, east).map(([from, to]) =>
      [
        ...Object.values(degrees({ latitude: south, longitude: from })),
        ...Object.values(degrees({ latitude: north, longitude: to })),
      ].join(),
    ),
  };
}

/** The ranges of longitudes from -180 to 180 that a range contains. */
function longitudes(west: number, east: number): [west: number, east: number][] {
  if (east - west >= 360) return [[-180, 180]];
  if (west < -180)
    return [
      [west + 360, 180],
      [-180, east],
    ];
  return east > 180
    ? [
        [west, 180],
        [-180, east - 360],
      ]
    : [[west, east]];
}
