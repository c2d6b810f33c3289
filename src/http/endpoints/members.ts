import { conditionIn } from '../../weather/languages/condition-texts.js';
import { rowOf, type Quantity } from '../../weather/quantities.js';
import { quantitiesOf, type Quantities } from '../../weather/values.js';
import {
  integer,
  nullable,
  text,
  decimal,
  type ObjectSchema,
  type Schema,
} from '../description/schemas.js';

type Member<Value> = readonly [Schema<Value>, Value];

/** The members of a response for the quantities of a kind, in the order of the table of quantities. */
type QuantityMembers<Q extends Quantities> = Record<
  Q['required'][number],
  readonly [Schema<number>, number]
> &
  Record<Q['optional'][number], Member<number | null>>;

/** Describes the quantities of a kind. */
export function quantityMembers<Q extends Quantities>(kind: Q): QuantityMembers<Q> {
  const { required, notes = {} } = kind;
  const members = quantitiesOf(kind).map((name) => {
    const schema = schemaOf(name, notes[name]);
    const isRequired = required.includes(name);
    return [name, [isRequired ? schema : nullable(schema), rowOf(name).example]];
  });
  return Object.fromEntries(members) as QuantityMembers<Q>;
}

/** The schema of a quantity. @param remark a sentence that the description adds */
function schemaOf(name: Quantity, remark: string | undefined): Schema<number> {
  const { what, unit, decimals, least, most, note } = rowOf(name);
  const sentence = `${what}${unit && ` in ${unit}`}${DECIMALS[decimals] ?? ''}.`;
  const description = [sentence, remark, note].filter(Boolean).join(' ');
  // Percentages and angles end at their bounds. Other bounds only say what is impossible on Earth.
  const isScale = unit === 'percent' || unit === 'degrees';
  const range = { ...(least === 0 && { minimum: 0 }), ...(isScale && { maximum: most }) };
  return decimals === 0 ? integer(description, range) : decimal(description, range);
}

const DECIMALS = ['', ', at most one decimal', ', at most two decimals'];

const CODE = integer('WMO weather code of `condition`; null for `Unknown`.', {
  minimum: 0,
  maximum: 99,
});

export const CONDITION = {
  condition: [
    text('The weather, in the words of the WMO weather codes, and in the language of the request.'),
    'Slight rain',
  ],
  weather_code: [nullable(CODE), 61],
} as const satisfies Record<string, Member<unknown>>;

export const IS_DAY: Schema<boolean> = {
  object: {
    type: 'boolean',
    description: 'Whether the sun is up: at `time` of an hour, else now.',
  },
};

/** A local time with its offset from UTC. */
export const offsetTimeText = (description: string): Schema<string> =>
  text(description, {
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$',
  });

/** Lists of values, by the names of the members that they have in a response. */
type Lists = Record<string, unknown> & { weather_code: (number | null)[] };

/**
 * A step of a forecast in the order of its schema. Unknown members of a cache entry are left out.
 * @param lists the values of all steps
 * @param language the language of the condition
 * @param own the members that are not in the lists, except the condition
 */
export function stepOf<Step extends object>(
  { properties }: ObjectSchema<Step>,
  lists: Lists,
  index: number,
  language: string,
  own: Partial<Step>,
): Step {
  const known: Record<string, unknown> = {
    condition: conditionIn(language, lists.weather_code[index] ?? null),
    ...own,
  };
  const step: Record<string, unknown> = {};
  for (const name in properties) {
    step[name] = known[name] ?? (lists[name] as unknown[] | undefined)?.[index] ?? null;
  }
  return step as Step;
}
