import type { CodeRecord, GazetteerData } from './gazetteer-file.js';

/** Returns the function that finds what a code of IATA or ICAO means, in capital letters. */
export function createCodes(data: Pick<GazetteerData, 'codes'>) {
  let byCode: Map<string, CodeRecord> | undefined;
  return (code: string): CodeRecord | undefined => {
    // Parsing takes about 5 ms, so it is done for the first code.
    byCode ??= new Map(
      (JSON.parse(new TextDecoder().decode(data.codes)) as CodeRecord[]).flatMap((record) =>
        record[0].map((each) => [each, record] as const),
      ),
    );
    return byCode.get(code);
  };
}
