import { DATA_SOURCES, DETAILS, info, SUMMARY } from './info.js';
import type { Description, Operation, Parameter } from '../../src/http/description/types.js';

interface Reference {
  $ref: string;
}

/** The method, the path, and the description of an operation. */
type Entry = [method: string, path: string, operation: Operation];

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
    '## Errors',
    errorsOf(entries, description),
    '## Details',
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
    `${String(summary)}. ${String(description)}`,
    ...(queried.length > 0 ? [queried.map(parameterLine).join('\n')] : []),
    ['```', request, ...sent, JSON.stringify(example), '```'].join('\n'),
  ].join('\n\n');
}

function parameterLine(parameter: Parameter): string {
  const { name, required, description } = parameter;
  return `- \`${name}\`${required ? '' : ' (optional)'}: ${description}${boundsOf(parameter)}`;
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
