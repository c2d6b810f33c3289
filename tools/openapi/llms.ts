import { errorTitles } from './error-titles.js';
import { DEGREES_RULES } from './location-parts.js';
import { BY_CITY, BY_COORDINATES } from './locations.js';
import { DATA_SOURCES, DETAILS, info, SUMMARY } from './info.js';
import { NAME_RULES } from './input-rules.js';
import type { Description, Fields, Operation, Parameter } from './types.js';

interface Reference {
  $ref: string;
}

/** The method, the path, and the description of an operation. */
type Entry = [method: string, path: string, operation: Operation];

/** Texts that many operations and parameters have. Here they are a part of the details, once. */
const SHARED = {
  Names: [NAME_RULES],
  Coordinates: [DEGREES_RULES, BY_COORDINATES],
  Cities: [BY_CITY],
};

/** Returns a text without the parts that are in the details. */
const withoutShared = (text: string): string =>
  Object.values(SHARED)
    .flat()
    .reduce((rest, part) => rest.replace(part, ''), text)
    .replaceAll(/ +/g, ' ')
    .trim();

/** The names of the schemas whose members are values with a unit or a time, by what they describe. */
const VALUE_SCHEMAS = {
  ConditionsRecord: 'now',
  DailyWeather: 'day',
  HourlyWeather: 'hour',
};

/**
 * Writes the description as plain text for language models, in the form of https://llmstxt.org: what the service is for,
 * each endpoint with an example, the errors, the limits, and the credit. Deprecated operations are left out.
 */
export function toLlmsText(description: Description): string {
  const entries = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation['deprecated'] !== true)
      .map(([method, operation]): Entry => [method.toUpperCase(), path, operation]),
  );
  return [
    `# ${info.title}`,
    `> ${SUMMARY}`,
    'No API key is needed. The paths below are relative to the folder of this file. The complete description is at ' +
      '`/openapi.json` (OpenAPI 3.1); people can try each request at `/apidocs/`. Lists in the examples are shortened.',
    '## Endpoints',
    ...entries.map((entry) => endpoint(entry, description)),
    '## Values',
    'Units are metric, and a time is local at the place unless it says otherwise. null: the provider does not have the value.',
    valuesOf(description),
    '## Errors',
    errorsOf(entries, description),
    '## Details',
    ...Object.entries(SHARED).map(([title, texts]) => `**${title}.** ${texts.join(' ')}`),
    ...DETAILS,
    '## Credit',
    `Show the credit of each response next to its data: its license requires it. ${DATA_SOURCES}`,
  ]
    .join('\n\n')
    .replaceAll('(../', '(')
    .concat('\n');
}

/** One operation with its parameters, a request, and the response to it. */
function endpoint([method, path, operation]: Entry, { definitions }: Description): string {
  const { summary, description, parameters = [], responses } = operation;
  const queried = parameters.filter((parameter) => parameter.in === 'query');
  const query = new URLSearchParams(
    queried
      .filter((parameter) => 'x-example' in parameter)
      .map((parameter): [string, string] => [parameter.name, String(parameter['x-example'])]),
  );
  const request = `${method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
  const body = parameters.find((parameter) => parameter.in === 'body')?.['schema'];
  const sent = body
    ? [JSON.stringify(definitions[lastPart((body as Reference).$ref)]?.['example'])]
    : [];
  const example = responses['200']?.examples?.['application/json'];
  return [
    `### ${method} ${path}`,
    withoutShared(`${String(summary)}. ${String(description)}`),
    ...(queried.length > 0 ? [queried.map(parameterLine).join('\n')] : []),
    ['```', request, ...sent, JSON.stringify(example), '```'].join('\n'),
  ].join('\n\n');
}

function parameterLine(parameter: Parameter): string {
  const { name, required, description } = parameter;
  const about = withoutShared(description);
  return `- \`${name}\`${required ? '' : ' (optional)'}: ${about}${boundsOf(parameter)}`;
}

/** One line for each value of the weather: its name, what it describes, and what its schema says. */
function valuesOf({ definitions }: Description): string {
  const labels = new Map<string, string[]>();
  for (const [name, label] of Object.entries(VALUE_SCHEMAS)) {
    const members = definitions[name]?.['properties'] as Record<string, Fields>;
    for (const [member, { description = '' }] of Object.entries(members)) {
      const key = JSON.stringify([member, description]);
      if (description !== '') labels.set(key, [...(labels.get(key) ?? []), label]);
    }
  }
  return [...labels]
    .map(([key, of]) => {
      const [member = '', description = ''] = JSON.parse(key) as string[];
      return `- \`${member}\` (${of.join(', ')}): ${description}`;
    })
    .join('\n');
}

interface NumberRule {
  type?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
}

/** A sentence with the bounds of a number and its default; nothing for other parameters. */
function boundsOf(parameter: Parameter): string {
  const { type, minimum, maximum, default: fallback } = parameter as NumberRule;
  if (minimum === undefined || maximum === undefined) return '';
  const kind = type === 'integer' ? 'A whole number from' : 'From';
  const ending = fallback === undefined ? '' : `, by default ${fallback}`;
  return ` ${kind} ${minimum} to ${maximum}${ending}.`;
}

/** The errors of all operations, by status and title. */
function errorsOf(entries: Entry[], { responses: shared, definitions }: Description): string {
  const unknownPlace = errorLine('400', definitions['Error']?.['example']);
  const lines = entries.flatMap(([, , { responses }]) =>
    Object.entries(responses).flatMap(([status, response]) => {
      const { examples } = response.$ref ? (shared[lastPart(response.$ref)] ?? {}) : response;
      return status >= '400' ? errorLine(status, examples?.['application/json']) : [];
    }),
  );
  const sorted = [...new Set([...unknownPlace, ...lines])].sort();
  return [
    'Decide by the status and `error`; the text of `message` can change. Examples:',
    sorted.join('\n'),
    `Every value of \`error\`: ${errorTitles().join(', ')}.`,
  ].join('\n\n');
}

/** One line for the body of an error; none for another body, such as that of a probe. */
function errorLine(status: string, body: unknown): string[] {
  const { error, message } = (body ?? {}) as Record<string, unknown>;
  return typeof error === 'string' ? [`- ${status} ${error}: “${String(message)}”`] : [];
}

function lastPart(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
