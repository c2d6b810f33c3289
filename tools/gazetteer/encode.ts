import {
  END,
  FORMAT_VERSION,
  MAGIC,
  SECTION_NAMES,
  PREAMBLE,
  roundUp,
  type GazetteerData,
} from '../../src/places/data/gazetteer-file.js';

/** Encodes the file. The result is deterministic. */
export function encodeGazetteer(data: GazetteerData): Buffer {
  const inHeader = Object.entries(data).filter(([, value]) => !ArrayBuffer.isView(value));
  const lengths = SECTION_NAMES.map((name) => data[name].length);
  const json = JSON.stringify({ ...Object.fromEntries(inHeader), lengths });
  const header = padded(Buffer.from(json), 0x20);
  const parts: Uint8Array[] = [header];
  for (const name of SECTION_NAMES) {
    const { buffer, byteOffset, byteLength } = data[name];
    parts.push(padded(new Uint8Array(buffer, byteOffset, byteLength), 0));
  }
  const bytes = Buffer.concat([Buffer.alloc(PREAMBLE), ...parts, Buffer.alloc(END)]);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(FORMAT_VERSION, 4);
  bytes.writeUInt32LE(bytes.length, 8);
  bytes.writeUInt32LE(header.length, 12);
  bytes.writeUInt32LE(MAGIC, bytes.length - END);
  return bytes;
}

function padded(bytes: Uint8Array, filler: number): Uint8Array {
  const result = new Uint8Array(roundUp(bytes.length)).fill(filler);
  result.set(bytes);
  return result;
}
