import type { LocationEndpoint } from '../../src/http/endpoints/endpoint.js';
import { LIMIT_PARAMETER } from '../../src/http/endpoints/suggestions.js';
import { LOCATION_TOOLS, PLACES_TOOL, type PublishedTools } from '../../src/http/mcp/tools.js';
import type { ParameterRules } from '../../src/http/input/parameters.js';
import { QUANTITIES, rowOf, type Quantity } from '../../src/weather/kinds/quantities.js';
import { mapValues, nameIn, type Document, type Fields, type Schema } from './types.js';

/** What models and people read about the tools. Every conversation pays for it, so it is short. */

const LOCATION =
  'Give city and country in any language (a region goes into the city: "Springfield, Illinois"), or only lat and lon, or ' +
  'the code of an airport. `place` is what was found: check that the user means it.';

const VALUES = 'null: not reported.';

/** The title of each tool about a location, what it returns, and the times in its result. */
const TEXTS: Record<string, { title: string; purpose: string; times: string }> = {
  current_weather: {
    title: 'Current weather',
    purpose: 'Returns the weather at a location now.',
    times:
      '`time` is local, with its UTC offset. Precipitation is per hour. `wind_direction` is where the wind comes from.',
  },
  forecast_daily: {
    title: 'Daily forecast',
    purpose: 'Returns the forecast for the next days at a location, from today on, by local date.',
    times: 'Dates and times are local.',
  },
  forecast_hourly: {
    title: 'Hourly forecast',
    purpose:
      'Returns the forecast for the next hours at a location. Use it for a time of today or tomorrow.',
    times:
      '`time` is local, with its UTC offset. Condition, precipitation, its probability, and gusts are those of the hour ' +
      'that begins then. `wind_direction` is where the wind comes from.',
  },
  air_quality: {
    title: 'Air quality',
    purpose:
      'Returns the air quality at a location now, by a model of 11 km in Europe and 45 km elsewhere, not a station.',
    times: '`time` is local. `category` is the band of `european_aqi`; `us_aqi` is null above 300.',
  },
};

const PLACES = {
  title: 'Find places',
  description:
    'Returns places whose name begins with a text, in any language or script, the most likely first. Use it before the other ' +
    'tools if the country is not known, or if several places have the name; if the user may mean any of them, ask which. Pass ' +
    '`city` and `country` of a result to the other tools as they are. It returns no weather. Latitude and longitude are in ' +
    'decimal degrees.',
};

const INSTRUCTIONS =
  'Weather, forecasts, and air quality for any place in the world, from open data. The tools read, and change nothing. If a result is an ' +
  'error, its sentence says what to change or how long to wait. If a value is null, say that it is not reported, and do not estimate it. If `is_stale` ' +
  'is true, say how old the data is. Show the credit in `attribution` next to all data.';

const CITY = { type: 'string' };
const COUNTRY = { type: 'string', description: 'Name or ISO 3166 code' };
const CODE = { type: 'string', description: 'IATA or ICAO' };
const OBJECT = { type: 'object' };
const LANGUAGE = { type: 'string', description: 'Of the texts: ISO 639-1' };
const COORDINATES = {
  lat: { type: 'number', minimum: -90, maximum: 90, description: 'North is positive' },
  lon: { type: 'number', minimum: -180, maximum: 180, description: 'East is positive' },
};

/** What the text of a search for places can also mean. */
const HINT = { type: 'string' };

/** The members of each result about a location that a response by HTTP has in its headers. */
const ABOUT_DATA = {
  provider: { type: 'string' },
  attribution: { type: ['object', 'null'] },
  age_seconds: { type: 'integer' },
  is_stale: { type: 'boolean' },
  ignored_arguments: { type: 'string' },
};

/** Makes what clients of the Model Context Protocol see of the tools. */
export function publishedTools({ components, paths }: Document): PublishedTools {
  /** Returns the types of a schema, without its texts and rules. */
  function typesOf({ $ref, type, items, properties }: Schema): Schema {
    if ($ref !== undefined) return typesOf(components.schemas[nameIn($ref)]!);
    return {
      type,
      ...(items && { items: typesOf(items) }),
      ...(properties && { properties: mapValues(properties, typesOf) }),
    };
  }

  /** What all results share is in the descriptions: its types would be a sixth of all bytes. */
  function resultOf(path: string, more: Record<string, Schema>) {
    const { schema } = paths[path]!['get']!.responses['200']!.content!['application/json'];
    const { location, place, ...properties } = typesOf(schema).properties!;
    const common = { ...(location && { location: OBJECT }), ...(place && { place: OBJECT }) };
    return { type: 'object' as const, properties: { ...common, ...properties, ...more } };
  }

  function locationTool([name, { path, parameters }]: [string, LocationEndpoint]) {
    const { title, purpose, times } = TEXTS[name]!;
    const outputSchema = resultOf(path, ABOUT_DATA);
    return {
      name,
      title,
      description: `${purpose} ${LOCATION} ${unitsOf(outputSchema)} ${times} ${VALUES}`,
      inputSchema: {
        type: 'object' as const,
        properties: {
          city: CITY,
          country: COUNTRY,
          ...COORDINATES,
          code: CODE,
          ...argumentsOf(parameters),
        },
      },
      outputSchema,
    };
  }

  const { attribution, ignored_arguments: ignored } = ABOUT_DATA;
  const findPlaces = {
    name: PLACES_TOOL,
    ...PLACES,
    inputSchema: {
      type: 'object' as const,
      properties: {
        q: { type: 'string', description: 'The beginning of the name' },
        country: { ...COUNTRY, description: 'Only places of this country: its name or code' },
        ...argumentsOf({ limit: LIMIT_PARAMETER }),
      },
      required: ['q'],
    },
    outputSchema: resultOf('/api/v1/places', {
      hint: HINT,
      attribution,
      ignored_arguments: ignored,
    }),
  };
  return {
    instructions: INSTRUCTIONS,
    tools: [...Object.entries(LOCATION_TOOLS).map(locationTool), findPlaces],
  };
}

/** Returns parameters as arguments. */
const argumentsOf = (parameters: ParameterRules): Fields =>
  Object.fromEntries(
    Object.values(parameters).map(({ description: { name, ...schema } }) => [
      name,
      name === 'lang' ? LANGUAGE : { ...schema, format: undefined },
    ]),
  );

/** Names the unit of each quantity in one sentence: "Units: dew_point: °C; humidity: %." */
function unitsOf(schema: Schema): string {
  const names = new Map<string, string[]>();
  for (const name of namesIn(schema)) {
    if (!(name in QUANTITIES)) continue;
    const { unit } = rowOf(name as Quantity);
    if (unit !== '') names.set(unit, [...(names.get(unit) ?? []), name]);
  }
  const units = [...names].map(([unit, quantities]) => `${quantities.join(', ')}: ${unit}`);
  return `Units: ${units.join('; ')}.`;
}

/** The names of all members of a schema: first those of an object, then those inside of them. */
function namesIn({ properties = {}, items }: Schema): string[] {
  const inside = [...Object.values(properties), ...(items ? [items] : [])];
  return [...Object.keys(properties), ...inside.flatMap(namesIn)];
}
