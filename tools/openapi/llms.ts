import { llms, texts } from './description.js';
import { nameIn, type Document, type Operation, type Parameter } from './types.js';

/** The method, the path, and the description of an operation. */
type Entry = [method: string, path: string, operation: Operation];

/** Texts that many operations and parameters have. They are in the details, once. */
const SHARED = ['nameRules', 'degrees', 'byCoordinates', 'byAirport', 'byCity'].map(
  (name) => texts[name]!,
);

const withoutShared = (text: string): string =>
  SHARED.reduce((rest, part) => rest.replace(part, ''), text)
    .replaceAll(/ +/g, ' ')
    .trim();

/** The schemas whose members are values with a unit or a time, by what they describe. */
const VALUE_SCHEMAS = {
  ConditionsRecord: 'now',
  DailyWeather: 'day',
  HourlyWeather: 'hour',
  AirQualityRecord: 'air',
  PollenRecord: 'pollen',
};

/**
 * Writes the description as plain text for language models, in the form of https://llmstxt.org:
 * what the service is for, each endpoint with an example, the errors, the limits, and the credit.
 * Aliases are left out.
 */
export function toLlmsText(document: Document): string {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => !operationId.endsWith('Legacy'))
      .map(([method, operation]): Entry => [method.toUpperCase(), path, operation]),
  );
  const { error } = document.components.schemas['Error']!.properties!;
  return [
    `# ${document.info.title}`,
    `> ${texts['summary']!}`,
    llms.introduction,
    '## Endpoints',
    ...entries.map((entry) => endpoint(entry, document)),
    '## Values',
    'Units are metric, and a time is local at the place unless it says otherwise. null: the provider does not have the value.',
    valuesOf(document),
    '## Errors',
    'Decide by the status and `error`; the text of `message` can change. Examples:',
    errorsOf(entries, document),
    `Every value of \`error\`: ${error!.enum!.join(', ')}.`,
    '## Details',
    ...llms.details,
    '## Credit',
    `Show the credit of each response next to its data: its license requires it. ${texts['sources']!}`,
  ]
    .join('\n\n')
    .replaceAll('(../', '(')
    .concat('\n');
}

/** One operation with its parameters, a request, and the response to it. */
function endpoint([method, path, operation]: Entry, { components }: Document): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const queried = parameters.filter((parameter) => parameter.in === 'query');
  const query = new URLSearchParams(
    queried.map(({ name, example }): [string, string] => [name, String(example)]),
  );
  const body = requestBody?.content['application/json'].schema.$ref;
  return [
    `### ${method} ${path}`,
    withoutShared(`${summary}. ${description}`),
    ...(queried.length > 0 ? [queried.map(parameterLine).join('\n')] : []),
    [
      '```',
      `${method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`,
      ...(body ? [JSON.stringify(components.schemas[nameIn(body)]?.examples?.[0])] : []),
      JSON.stringify(responses['200']?.content?.['application/json'].example),
      '```',
    ].join('\n'),
  ].join('\n\n');
}

/** The name of a parameter, its description, and the bounds and the default of a number. */
function parameterLine({ name, required, description, schema }: Parameter): string {
  const { type, minimum, maximum, default: fallback } = schema;
  const kind = type === 'integer' ? 'A whole number from' : 'From';
  const ending = fallback === undefined ? '' : `, by default ${fallback}`;
  const bounds = minimum === undefined ? '' : ` ${kind} ${minimum} to ${maximum}${ending}.`;
  return `- \`${name}\`${required === true ? '' : ' (optional)'}: ${withoutShared(description)}${bounds}`;
}

/** One line for each value: its name, what it describes, and what its schema says. */
function valuesOf({ components }: Document): string {
  const labels = new Map<string, string[]>();
  for (const [name, label] of Object.entries(VALUE_SCHEMAS)) {
    const { properties } = components.schemas[name]!;
    for (const [member, { description = '' }] of Object.entries(properties!)) {
      const line = `- \`${member}\` (…): ${description}`;
      if (description !== '') labels.set(line, [...(labels.get(line) ?? []), label]);
    }
  }
  return [...labels].map(([line, of]) => line.replace('…', of.join(', '))).join('\n');
}

/** The example of each error, by status and title. */
function errorsOf(entries: Entry[], { components }: Document): string {
  const { responses: shared, schemas } = components;
  const lines = entries.flatMap(([, , { responses }]) =>
    Object.entries(responses).map(([status, response]) => {
      const { content } = response.$ref ? shared[nameIn(response.$ref)]! : response;
      return errorLine(status, content?.['application/json'].example);
    }),
  );
  const unknownPlace = errorLine('400', schemas['Error']!.examples?.[0]);
  return [...new Set([unknownPlace, ...lines])].filter(Boolean).sort().join('\n');
}

/** One line for the body of an error. Empty for another body, such as that of a probe. */
function errorLine(status: string, body: unknown): string {
  const { error, message } = (body ?? {}) as Record<string, unknown>;
  return typeof error === 'string' ? `- ${status} ${error}: “${String(message)}”` : '';
}
