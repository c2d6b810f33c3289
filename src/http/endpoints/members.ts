import { creditOf, type Credit } from '../../config/providers.js';
import { conditionIn } from '../../weather/conditions/condition-texts.js';
import type { AbilityName } from '../../weather/kinds/kinds.js';
import { rowOf, type Quantity } from '../../weather/kinds/quantities.js';
import { firstRemaining, type Series, type SeriesKind } from '../../weather/kinds/series.js';
import { quantitiesOf, type Quantities } from '../../weather/kinds/values.js';
import {
  integer,
  orNull,
  text,
  decimal,
  type ObjectSchema,
  type Schema,
} from '../description/schemas.js';

type Member<Value> = readonly [Schema<Value>, Value];

/** The members of a response for the quantities of a kind, in the order of their table. */
type QuantityMembers<Q extends Quantities> = Record<Q['required'][number], Member<number>> &
  Record<Q['optional'][number], Member<number | null>>;

/** Describes the quantities of a kind. */
export function quantityMembers<Q extends Quantities>(kind: Q): QuantityMembers<Q> {
  const { required, notes = {} } = kind;
  const members = quantitiesOf(kind).map((name) => {
    const schema = schemaOf(name, notes[name]);
    const isRequired = required.includes(name);
    const { example, min } = rowOf(name);
    return [name, isRequired ? [schema, example ?? min] : [orNull(schema), example]];
  });
  return Object.fromEntries(members) as QuantityMembers<Q>;
}

/** The schema of a quantity. @param remark a sentence that the description adds */
function schemaOf(name: Quantity, remark: string | undefined): Schema<number> {
  const { what, unit, decimals, min, max, note } = rowOf(name);
  const sentence = `${what}${unit && ` in ${unit}`}${DECIMALS[decimals] ?? ''}.`;
  const description = [sentence, remark, note].filter(Boolean).join(' ');
  // Percentages and angles end at their bounds. Other bounds only say what is impossible on Earth.
  const isScale = unit === 'percent' || unit === 'degrees';
  const range = { ...(min === 0 && { minimum: 0 }), ...(isScale && { maximum: max }) };
  return decimals === 0 ? integer(description, range) : decimal(description, range);
}

const DECIMALS = ['', ', at most one decimal', ', at most two decimals'];

const CODE = { minimum: 0, maximum: 99 };

/** The code in a header. */
export const CONDITION_CODE = integer('WMO weather code of `condition`; absent for `Unknown`.', {
  ...CODE,
  examples: [61],
});

export const CONDITION = {
  condition: [
    text('The weather, in the words of the WMO weather codes, and in the language of the request.'),
    'Slight rain',
  ],
  weather_code: [orNull(integer('WMO weather code of `condition`; null for `Unknown`.', CODE)), 61],
} as const satisfies Record<string, Member<unknown>>;

export const IS_DAY: Schema<boolean> = {
  object: {
    type: 'boolean',
    description: 'Whether the sun is up: for an hour, at its `time`; otherwise now.',
  },
};

/** A local time with its offset from UTC. */
export const offsetTimeText = (description: string): Schema<string> =>
  text(description, {
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$',
  });

/** The time of values that are for the current hour. */
export const HOUR_OF_VALUES: Member<string | null> = [
  orNull(offsetTimeText('The hour that the values are for, local, with its UTC offset.')),
  '2026-11-25T17:00-08:00',
];

const ATTRIBUTION: Schema<Credit> = {
  object: {
    type: 'object',
    required: ['text', 'url'],
    properties: { text: { type: 'string' }, url: { type: ['string', 'null'] } },
    description:
      'The credit to show next to the data: text, and link of the source. The link is null for ' +
      'invented data.',
  },
};

/** The members that say where the data is from. @param ability that of the endpoint */
export const sourceMembers = (ability: AbilityName) =>
  ({
    provider: [text('The provider of the data.'), 'open-meteo'],
    attribution: [orNull(ATTRIBUTION), creditOf('open-meteo', ability)],
  }) as const satisfies Record<string, Member<unknown>>;

/**
 * Returns the next steps of a forecast. Unknown members of a cache entry are left out.
 * @param own returns members that the forecast does not have in this form, except the condition
 * @throws ServiceUnavailableError if all steps are over
 */
export function nextSteps<Step extends object, Stored extends object, At>(
  { properties }: ObjectSchema<Step>,
  kind: SeriesKind<Stored, At>,
  forecast: Series<Stored>,
  { now, count, lang }: { now: number; count: number; lang: string },
  own?: (at: At) => Partial<Step>,
): Step[] {
  const lists = forecast as unknown as Record<string, unknown[] | undefined>;
  const columns = Object.keys(properties).map((name) => [name, lists[name]] as const);
  const first = firstRemaining(kind, forecast, now);
  const codes = lists['weather_code'] as (number | null)[] | undefined;
  const times = (lists[kind.granularity.order] as At[]).slice(first, first + count);
  return times.map((at, offset) => {
    const index = first + offset;
    const step: Record<string, unknown> = {};
    for (const [name, list] of columns) step[name] = list?.[index] ?? null;
    if (codes) step['condition'] = conditionIn(lang, codes[index] ?? null);
    return (own ? Object.assign(step, own(at)) : step) as Step;
  });
}
