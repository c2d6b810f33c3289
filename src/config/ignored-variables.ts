import { createEditDistance } from '../text/edit-distance.js';

/** A variable that is set and that the service does not have, and the variable of the service with the most similar name. */
export interface IgnoredVariable {
  name: string;
  similar: string;
}

/**
 * The share of the letters that may differ: REDIS_URI is near REDIS_URL, and HOME is not near HOST. More: the names of
 * other programs would be reported.
 */
const DIFFERENCE = 1 / 4;
/**
 * Names that other programs set. Kubernetes sets the first kind for each service of the namespace (REDIS_SERVICE_HOST,
 * WEATHER_API_PORT_80_TCP), a desktop sets SESSION_MANAGER, and docker-compose.yml reads REDIS_MAXMEMORY.
 */
const OF_OTHERS =
  /_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)|^SESSION_MANAGER$|^REDIS_MAXMEMORY$/;
/** Kubernetes also sets REDIS_PORT=tcp://10.0.0.1:6379, and Docker did for linked containers. */
const PORT = '_PORT';
const ADDRESS = /^\w+:\/\//;

/**
 * Finds variables that are probably meant for the service and that it ignores: their names are near to one of its names,
 * lack the end of one (CACHE_TTL), or begin like several of them (REDIS_HOST).
 *
 * @param known the names of all variables of the service
 */
export function ignoredVariables(
  source: NodeJS.ProcessEnv,
  known: readonly string[],
): IgnoredVariable[] {
  const distance = createEditDistance();
  const beginnings = known.map(firstWord);
  const isCommon = (word: string): boolean =>
    word !== '' && beginnings.filter((each) => each === word).length > 1;
  return Object.entries(source).flatMap(([name, value = '']) => {
    const upper = name.toUpperCase();
    if (known.includes(name) || value.trim() === '' || OF_OTHERS.test(upper)) return [];
    if (upper.endsWith(PORT) && ADDRESS.test(value.trim())) return [];
    const isSibling = isCommon(firstWord(upper)) && !upper.endsWith(PORT);
    const candidates = known.flatMap((similar) => {
      // The end was left out, such as the unit: CACHE_TTL.
      if (upper.includes('_') && similar.startsWith(upper)) return [{ name, similar, edits: 0 }];
      const longer = Math.max(upper.length, similar.length);
      const isOfFamily = isSibling && firstWord(similar) === firstWord(upper);
      const limit = isOfFamily ? longer : DIFFERENCE * longer;
      const edits = distance(unitsOf(upper), unitsOf(similar), limit);
      return edits <= limit ? [{ name, similar, edits }] : [];
    });
    candidates.sort((a, b) => a.edits - b.edits);
    return candidates.slice(0, 1).map(({ similar }) => ({ name, similar }));
  });
}

/** Returns the beginning of a name with its first underscore: `REDIS_`; empty if it has none. */
function firstWord(name: string): string {
  return name.slice(0, name.indexOf('_') + 1);
}

function unitsOf(text: string): number[] {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}
