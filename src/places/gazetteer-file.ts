/**
 * The file that the build writes and the service reads: a JSON header and a few flat arrays.
 * Loading takes one read and parses nothing but the header; in memory it needs its own size.
 *
 *   8 bytes   magic, format version
 *   4 bytes   CRC-32 of everything that follows
 *   4 bytes   length of the header
 *   header    JSON, padded with spaces to a multiple of 8
 *   sections  in the order of SECTIONS, each padded to a multiple of 8; little-endian
 */
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Raise it when the layout, the keys or the folding of names change. */
export const FORMAT_VERSION = 9;
/** Where the build writes the file. The path is right from `src/places` and from `dist/places`. */
export const GAZETTEER_FILE = new URL('../../dist/places/gazetteer.bin', import.meta.url);

const MAGIC = 0x315a4757; // "WGZ1" in little-endian order
const CHECKED_FROM = 12;
const PREAMBLE = 16;

/** A country or territory with its own ISO code. Its places have the indices first … end - 1. */
export interface CountryRecord {
  /** ISO 3166-1 alpha-2. */
  code: string;
  /** Its usual English name. */
  name: string;
  first: number;
  end: number;
  /** Whether its first place has more than half of its people. */
  dominated: boolean;
}

/** The area that a country's name means: the countries to search, in this order. */
export interface AreaRecord {
  codes: string[];
  /** When set: only this region of the first country, such as England. */
  region?: number;
  /** Areas that people also look in under that name. */
  also?: AreaRecord[];
}

export interface GazetteerHeader {
  countries: CountryRecord[];
  areas: AreaRecord[];
  /** English names of the regions of both levels; that of number n is at n - 1. */
  regions: string[];
}

/** Places are sorted by country, then by population, largest first: an index is also a rank. */
export interface GazetteerSections {
  /** Degrees × 100,000. */
  latitude: Int32Array;
  longitude: Int32Array;
  population: Uint32Array;
  /** How likely somebody wants the place: its population times the number of its names. */
  standing: Uint32Array;
  /** Index into the header's countries. */
  country: Uint8Array;
  /** Number of the first-level region: state, province; 0 when unknown. */
  division: Uint16Array;
  /** Number of the second-level region, where people name it: county, department; else 0. */
  district: Uint16Array;
  /** `names` of place i, in UTF-8: from nameStart[i] to nameStart[i + 1]. */
  nameStart: Uint32Array;
  names: Uint8Array;
  /** The main town of each country that is small, as its index plus one; 0 for others. */
  countrySeats: Uint32Array;
  /** The same for each region, by its number. */
  regionSeats: Uint32Array;
  /** Index into the header's countries of each region, by its number. */
  regionCountry: Uint8Array;
  /** Where each part of the table of keys begins, see `key-hash.ts`. */
  keyStart: Uint32Array;
  /** Marks of keys, in each part ascending. A key of several places is there several times, best place first. */
  keys: Uint32Array;
  /** The value of each key: a place, an area or a region, depending on the kind of key. */
  values: Uint32Array;
  /** A KDBush index of the places that may name a point, in units of 1e-5 degrees. */
  spatial: Uint8Array;
  /** The place of each item of that index. */
  spatialPlaces: Uint32Array;
  /**
   * Every name of every place in its `typedForms`, in the order of its bytes, in UTF-8, see `front-coded.ts`, and
   * where each block of them begins.
   */
  listNames: Uint8Array;
  listBlocks: Uint32Array;
  /** Place and kind of each of these names, see `name-list.ts`. */
  list: Uint32Array;
  /** Ranks these names, see `best-first.ts`. */
  listTree: Uint32Array;
  /** The numbers of the names in country c, ascending: from homeStart[c] to homeStart[c + 1]. */
  homeStart: Uint32Array;
  homeList: Uint32Array;
  homeTree: Uint32Array;
}

const SECTIONS = [
  ['latitude', Int32Array],
  ['longitude', Int32Array],
  ['population', Uint32Array],
  ['standing', Uint32Array],
  ['country', Uint8Array],
  ['division', Uint16Array],
  ['district', Uint16Array],
  ['nameStart', Uint32Array],
  ['names', Uint8Array],
  ['countrySeats', Uint32Array],
  ['regionSeats', Uint32Array],
  ['regionCountry', Uint8Array],
  ['keyStart', Uint32Array],
  ['keys', Uint32Array],
  ['values', Uint32Array],
  ['spatial', Uint8Array],
  ['spatialPlaces', Uint32Array],
  ['listNames', Uint8Array],
  ['listBlocks', Uint32Array],
  ['list', Uint32Array],
  ['listTree', Uint32Array],
  ['homeStart', Uint32Array],
  ['homeList', Uint32Array],
  ['homeTree', Uint32Array],
] as const;

export interface GazetteerData extends GazetteerHeader, GazetteerSections {}

/** The bytes of the file. The same data always give the same bytes. */
export function encodeGazetteer(data: GazetteerData): Buffer {
  const { countries, areas, regions } = data;
  const lengths = SECTIONS.map(([name]) => data[name].length);
  const header = JSON.stringify({ countries, areas, regions, lengths });
  const parts: Uint8Array[] = [padded(Buffer.from(header), 0x20)];
  for (const [name] of SECTIONS) {
    const { buffer, byteOffset, byteLength } = data[name];
    parts.push(padded(new Uint8Array(buffer, byteOffset, byteLength), 0));
  }
  const body = Buffer.concat(parts);
  const bytes = Buffer.concat([Buffer.alloc(PREAMBLE), body]);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(FORMAT_VERSION, 4);
  bytes.writeUInt32LE(parts[0]?.length ?? 0, 12);
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 8);
  return bytes;
}

/**
 * Reads the built file.
 * @throws Error when the file is missing, damaged or of another version; it says to run the build
 */
export function readGazetteerFile(file: URL | string): GazetteerData {
  const fail = (why: string, cause?: unknown): never => {
    throw new Error(`the gazetteer ${String(file)} ${why}: run \`npm run build\``, { cause });
  };
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return fail('cannot be read', error);
  }
  if (bytes.length < PREAMBLE || bytes.readUInt32LE(0) !== MAGIC) return fail('is no gazetteer');
  const version = bytes.readUInt32LE(4);
  if (version !== FORMAT_VERSION) return fail(`has version ${version}, not ${FORMAT_VERSION}`);
  if (crc32(bytes.subarray(CHECKED_FROM)) !== bytes.readUInt32LE(8)) return fail('is damaged');
  return decode(bytes.subarray(PREAMBLE), bytes.readUInt32LE(12));
}

function decode(body: Buffer<ArrayBuffer>, headerLength: number): GazetteerData {
  const header = JSON.parse(body.subarray(0, headerLength).toString('utf8')) as GazetteerHeader & {
    lengths: number[];
  };
  let offset = body.byteOffset + headerLength;
  const sections: Partial<Record<keyof GazetteerSections, ArrayBufferView>> = {};
  for (const [i, [name, ArrayType]] of SECTIONS.entries()) {
    const view = new ArrayType(body.buffer, offset, header.lengths[i] ?? 0);
    sections[name] = view;
    offset += roundUp(view.byteLength);
  }
  return {
    countries: header.countries,
    areas: header.areas,
    regions: header.regions,
    ...(sections as unknown as GazetteerSections),
  };
}

function padded(bytes: Uint8Array, filler: number): Uint8Array {
  const result = new Uint8Array(roundUp(bytes.length)).fill(filler);
  result.set(bytes);
  return result;
}

/** An array of 8-byte numbers must begin at a multiple of 8. */
function roundUp(length: number): number {
  return (length + 7) & ~7;
}
