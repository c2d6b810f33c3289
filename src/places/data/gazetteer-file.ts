/**
 * The file that the build (`tools/gazetteer/encode.ts`) writes and the service reads: a JSON header
 * and flat arrays. Loading is one read, and parses only the header. In memory it takes its size.
 *
 *   8 bytes   magic number, format version
 *   4 bytes   length of the file
 *   4 bytes   length of the header
 *   header    JSON, padded with spaces to a multiple of 8
 *   sections  in the order of SECTIONS, each padded to a multiple of 8; little-endian
 *   8 bytes   magic number, zeros
 *
 * The length and the second magic number show that the file is complete. A checksum would take 4 %
 * of the time to start.
 */
import { readFileSync } from 'node:fs';

/** Raise it if the layout, the keys, or the folding of names changes. */
export const FORMAT_VERSION = 18;

export const MAGIC = 0x315a4757; // "WGZ1" in little-endian order
export const PREAMBLE = 16;
export const END = 8;
/** Lower than every place on land. */
export const UNKNOWN_ELEVATION = -9999;

/** A country or territory with an ISO 3166-1 code. Its places are `first` to before `end`. */
export interface CountryRecord {
  /** ISO 3166-1 alpha-2. */
  code: string;
  /** The usual English name. */
  name: string;
  /** Names in its own language and some others, in Latin letters, to compare misspelled names. */
  otherNames: string[];
  first: number;
  end: number;
  /** Whether the first place has more than half of the country's population. */
  dominated: boolean;
}

/** The area that a country's name means. */
export interface AreaRecord {
  /** ISO 3166-1 alpha-2 codes of the countries to search, in this order. */
  codes: string[];
  /** If set, only this region of the first country is searched, such as England. */
  region?: number;
  /** Areas to search if this one does not have the city. */
  also?: AreaRecord[];
}

/**
 * What a code of IATA or ICAO means: an airport with the index of its town, or, without the other
 * members, a city. Degrees, and meters above the sea.
 */
export type CodeRecord = [
  codes: string[],
  place: number,
  airport?: string,
  latitude?: number,
  longitude?: number,
  elevation?: number | null,
];

interface GazetteerHeader {
  countries: CountryRecord[];
  areas: AreaRecord[];
  /** English names of the regions of both levels. The name of region n is at index n - 1. */
  regions: string[];
  /** The highest number of a present region of the first level. */
  lastDivision: number;
  /** IANA names. */
  timeZones: string[];
  /** Zones that old runtimes do not know, each with another zone of the same present offset. */
  zoneFallbacks: Record<string, string>;
  /** Other forms of a name that users type, see `tools/gazetteer/tables/name-forms.json`. */
  nameForms: [pattern: string, flags: string, replacement: string, countries?: string][];
}

/** The arrays in the file's order. Places are sorted by country, then by population, descending. */
const SECTIONS = {
  /** Degrees × 100,000. */
  latitude: Int32Array,
  longitude: Int32Array,
  /** Meters above the sea, or `UNKNOWN_ELEVATION`. */
  elevation: Int16Array,
  population: Uint32Array,
  /** How likely a user means the place: its population weighted by the number of its names. */
  popularity: Uint32Array,
  /** Index into the header's countries. */
  country: Uint8Array,
  /** Index into the header's time zones. */
  timeZone: Uint16Array,
  /** Number of the first-level region (state, province); 0 if unknown. */
  division: Uint16Array,
  /**
   * Number of the second-level region (county, department) in countries where people name it, of
   * the former region, or of the region of the nearest place if `division` is unknown; otherwise 0.
   */
  district: Uint16Array,
  /** The display name of place i in UTF-8: `names` from nameStart[i] to nameStart[i + 1]. */
  nameStart: Uint32Array,
  names: Uint8Array,
  /** Index into the header's countries of each region, by the region's number. */
  regionCountry: Uint8Array,
  /** Where each bucket of the hash table of keys begins, see `key-hash.ts`. */
  keyStart: Uint32Array,
  /** Fingerprints of keys, ascending within a bucket. A key occurs once per value, best first. */
  keys: Uint32Array,
  /** The value of each key: a place, an area, or a region, depending on the kind of key. */
  values: Uint32Array,
  /** A KDBush index of the places that can name a point, in the library's own format. */
  points: Uint8Array,
  /** The place of each item of the index, ascending. */
  spatialPlaces: Uint32Array,
  /** All names of all places in all forms that people type, sorted by bytes, see `name-list.ts`. */
  listNames: Uint8Array,
  /** The offset of each block in `listNames`. */
  listBlocks: Uint32Array,
  /** Place and kind of each name of the list, see `name-list.ts`. */
  list: Uint32Array,
  /** Names of country c, ascending: `countryNames` from this [c] to before [c + 1]. */
  countryNameStart: Uint32Array,
  countryNames: Uint32Array,
  /** Codes of airports and cities: `CodeRecord`s in JSON, read for the first request by code. */
  codes: Uint8Array,
};
type Sections = typeof SECTIONS;
/** The names of the arrays, in the order of the file. */
export const SECTION_NAMES = Object.keys(SECTIONS) as (keyof Sections)[];

/** The arrays of the file. */
export type GazetteerSections = { [Name in keyof Sections]: Sections[Name]['prototype'] };

export type GazetteerData = GazetteerHeader & GazetteerSections;

/**
 * Reads the file that the build wrote.
 * @throws Error that says to run the build, if the file is missing, incomplete, or of another
 *   format version
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
  if (bytes.length < PREAMBLE || bytes.readUInt32LE(0) !== MAGIC) return fail('is not a gazetteer');
  const version = bytes.readUInt32LE(4);
  if (version !== FORMAT_VERSION) return fail(`has version ${version}, not ${FORMAT_VERSION}`);
  const isWhole =
    bytes.length === bytes.readUInt32LE(8) && bytes.readUInt32LE(bytes.length - END) === MAGIC;
  if (!isWhole) return fail('is incomplete');
  return decode(bytes.subarray(PREAMBLE), bytes.readUInt32LE(12));
}

function decode(body: Buffer<ArrayBuffer>, headerLength: number): GazetteerData {
  const json = body.subarray(0, headerLength).toString('utf8');
  const { lengths, ...header } = JSON.parse(json) as GazetteerHeader & { lengths: number[] };
  let offset = body.byteOffset + headerLength;
  const sections: Partial<Record<keyof Sections, ArrayBufferView>> = {};
  for (const [i, name] of SECTION_NAMES.entries()) {
    const view = new SECTIONS[name](body.buffer, offset, lengths[i] ?? 0);
    sections[name] = view;
    offset += roundUp(view.byteLength);
  }
  return { ...header, ...(sections as unknown as GazetteerSections) };
}

/** Rounds up to a multiple of 8, so that every typed array is aligned. */
export function roundUp(length: number): number {
  return (length + 7) & ~7;
}
