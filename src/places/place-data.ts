import KDBush from 'kdbush';
import { readGazetteerFile, type GazetteerData } from './data/gazetteer-file.js';
import { createNameList, type NameList } from './data/name-list.js';
import { createSimilarAreas } from './similar/similar-areas.js';
import { createSimilarNames } from './similar/similar-names.js';

/** The gazetteer's data, and indexes and searches with a state. Others are functions of it. */
export interface PlaceData extends GazetteerData {
  formRules: { pattern: RegExp; replacement: string; countries: string | undefined }[];
  nameList: NameList;
  pointIndex: KDBush;
  similarNames: ReturnType<typeof createSimilarNames>;
  similarAreas: ReturnType<typeof createSimilarAreas>;
}

/** Loads the data. @throws Error that says to run the build, see `readGazetteerFile` */
export function loadPlaceData(file: URL | string): PlaceData {
  const data = readGazetteerFile(file);
  const nameList = createNameList(data);
  return {
    ...data,
    formRules: data.nameForms.map(([source, flags, replacement, countries]) => {
      return { pattern: new RegExp(source, flags), replacement, countries };
    }),
    nameList,
    // The library needs a buffer of its own.
    pointIndex: KDBush.from(data.points.slice().buffer),
    similarNames: createSimilarNames(data, nameList),
    similarAreas: createSimilarAreas(data),
  };
}
