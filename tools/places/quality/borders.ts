import { distancesFrom } from '../../../src/places/distance.js';
import { load } from './packages.js';

type Position = [longitude: number, latitude: number];

/** Quantized arcs, which countries share: https://github.com/topojson/topojson-specification */
interface Topology {
  transform: { scale: Position; translate: Position };
  arcs: Position[][];
  objects: {
    countries: {
      geometries: { id?: string; properties: { name: string }; type: string; arcs: unknown }[];
    };
  };
}

interface Polygon {
  /** ISO 3166-1 numeric code. */
  country: string | undefined;
  rings: Position[][];
  west: number;
  south: number;
  east: number;
  north: number;
}

export interface Borders {
  /** Returns the numeric codes of the countries that contain a point. */
  countriesAt(latitude: number, longitude: number): (string | undefined)[];
  /** Tells whether a land border is within a distance. */
  nearBorder(latitude: number, longitude: number, km: number): boolean;
  /** Tells whether the coast is within a distance. */
  nearCoast(latitude: number, longitude: number, km: number): boolean;
}

/** Loads Natural Earth's borders and coasts, which are independent of OpenStreetMap and GeoNames. */
export function naturalEarthBorders(): Borders {
  const topology = load('world-atlas/countries-10m.json') as Topology;
  const lines = topology.arcs.map((arc) => positions(arc, topology.transform));
  const polygons: Polygon[] = [];
  const users = new Map<number, Set<object>>();
  for (const geometry of topology.objects.countries.geometries) {
    const shapes = (geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs) as number[][][];
    for (const shape of shapes) {
      for (const arc of shape.flat()) {
        const line = arc < 0 ? ~arc : arc;
        users.set(line, (users.get(line) ?? new Set()).add(geometry));
      }
      const rings = shape.map((arcs) => unwrapped(joined(arcs, lines)));
      polygons.push({ country: geometry.id, rings, ...extent(rings[0]!) });
    }
  }
  const shared = (yes: boolean): Position[] =>
    lines.flatMap((line, i) => ((users.get(i)?.size ?? 0) > 1 === yes ? line : []));
  return {
    countriesAt: (latitude, longitude) => [
      ...new Set(polygons.filter(holds(latitude, longitude)).map(({ country }) => country)),
    ],
    nearBorder: nearAny(shared(true)),
    nearCoast: nearAny(shared(false)),
  };
}

function positions(arc: Position[], { scale, translate }: Topology['transform']): Position[] {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    [x, y] = [x + dx, y + dy];
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

function joined(arcs: number[], lines: Position[][]): Position[] {
  return arcs.flatMap((arc, i) => {
    const line = arc < 0 ? lines[~arc]!.toReversed() : lines[arc]!;
    return i === 0 ? line : line.slice(1);
  });
}

/** Lets the longitudes of a ring that crosses ±180° continue beyond 180. */
function unwrapped(ring: Position[]): Position[] {
  let offset = 0;
  return ring.map(([x, y], i) => {
    const step = i === 0 ? 0 : x - ring[i - 1]![0];
    if (step > 180) offset -= 360;
    if (step < -180) offset += 360;
    return [x + offset, y];
  });
}

function extent(ring: Position[]): Omit<Polygon, 'country' | 'rings'> {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [x, y] of ring) {
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.south = Math.min(box.south, y);
    box.north = Math.max(box.north, y);
  }
  return box;
}

/** Creates the check whether a polygon contains a point, by the even-odd rule over all rings: holes are outside. */
function holds(latitude: number, longitude: number) {
  const inside = (x: number, rings: Position[][]): boolean => {
    let odd = false;
    for (const ring of rings) {
      for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
        const [xi, yi] = ring[i]!;
        const [xj, yj] = ring[j]!;
        if (yi > latitude === yj > latitude) continue;
        if (x < ((xj - xi) * (latitude - yi)) / (yj - yi) + xi) odd = !odd;
      }
    }
    return odd;
  };
  return ({ rings, west, south, east, north }: Polygon): boolean =>
    latitude >= south &&
    latitude <= north &&
    [longitude - 360, longitude, longitude + 360].some(
      (x) => x >= west && x <= east && inside(x, rings),
    );
}

const CELL = 0.25;

function nearAny(points: Position[]) {
  const cells = new Map<string, Position[]>();
  const cell = (x: number, y: number): string => `${x}:${y}`;
  for (const point of points) {
    const key = cell(Math.floor(point[0] / CELL), Math.floor(point[1] / CELL));
    const held = cells.get(key);
    if (held) held.push(point);
    else cells.set(key, [point]);
  }
  return (latitude: number, longitude: number, km: number): boolean => {
    const [x, y] = [Math.floor(longitude / CELL), Math.floor(latitude / CELL)];
    return [-1, 0, 1]
      .flatMap((dx) => [-1, 0, 1].flatMap((dy) => cells.get(cell(x + dx, y + dy)) ?? []))
      .some((point) => distancesFrom({ latitude, longitude })(point[1], point[0]) <= km);
  };
}
