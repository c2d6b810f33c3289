import { parser } from '@grafana/lezer-logql';

/** What a query of Loki asks of the records. */
export interface LogQuery {
  /** Conditions on the labels of the stream. */
  streams: Matcher[];
  /** Label → field of the JSON record that it is taken from. */
  extracted: Map<string, string>;
  /** Texts, as regular expressions, that a whole line must contain. */
  lineFilters: string[];
  /** Conditions on what was extracted. */
  filters: Matcher[];
  /** Labels whose value is used as a number. */
  unwrapped: string[];
  /** Labels that results are grouped by. */
  grouped: string[];
}

export interface Matcher {
  label: string;
  operator: string;
  value: string;
}

/**
 * Reads a query by Grafana's own grammar. Grafana's variables of time must have been put in.
 * @throws when it is no LogQL
 */
export function readQuery(expression: string): LogQuery {
  const query: LogQuery = {
    streams: [],
    extracted: new Map(),
    lineFilters: [],
    filters: [],
    unwrapped: [],
    grouped: [],
  };
  const text = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) {
        throw new Error(`no LogQL at "${expression.slice(node.from)}" in ${expression}`);
      }
      const children = () => {
        const found: Record<string, string> = {};
        for (let child = node.node.firstChild; child; child = child.nextSibling) {
          found[child.name === 'Identifier' || child.name === 'String' ? child.name : 'operator'] =
            text(child);
        }
        return {
          label: found['Identifier'] ?? '',
          operator: found['operator'] ?? '',
          value: (found['String'] ?? '').slice(1, -1),
        };
      };
      const parent = node.node.parent?.name;
      if (node.name === 'Matcher') {
        (parent === 'LabelFilter' ? query.filters : query.streams).push(children());
      } else if (node.name === 'LabelExtractionExpression') {
        const { label, value } = children();
        query.extracted.set(label, value);
      } else if (node.name === 'String' && parent === 'LineFilter') {
        query.lineFilters.push(text(node).slice(1, -1));
      } else if (node.name === 'Identifier' && parent === 'UnwrapExpr') {
        query.unwrapped.push(text(node));
      } else if (node.name === 'Identifier' && parent === 'Labels') {
        query.grouped.push(text(node));
      }
    },
  });
  return query;
}

/** Whether a value meets a condition; Loki anchors expressions at both ends. */
export function matches({ operator, value }: Matcher, actual: string): boolean {
  switch (operator) {
    case '=':
      return actual === value;
    case '!=':
      return actual !== value;
    case '=~':
      return anchored(value).test(actual);
    case '!~':
      return !anchored(value).test(actual);
    default:
      throw new Error(`no condition: ${operator}`);
  }
}

/** Go writes `(?i)` where JavaScript has a flag. */
function anchored(expression: string): RegExp {
  const [, ignoringCase, rest = ''] = /^(\(\?i\))?([^]*)$/.exec(expression) ?? [];
  return new RegExp(`^(?:${rest})$`, ignoringCase && 'i');
}
