import Joi from 'joi';

/** An environment variable: its rule, and its description in the documents. */
export interface Variable<T> {
  readonly name: string;
  readonly rule: Joi.Schema<T>;
  readonly about: About;
}

export interface About {
  /** One to three sentences for docs/configuration.md and `.env.example`. */
  meaning: string;
  /** The text that is used if the variable is not set. */
  default?: string;
  /** The default for NODE_ENV=production, if it differs. */
  productionDefault?: string;
  /** The text that is used if the variable is empty. Without it, an empty variable counts as not set. */
  whenEmpty?: string;
  /** Spaces at the beginning and end are part of the text. Only a line break at its end is removed. */
  verbatim?: true;
  /** The description of the default in the documents, if the default depends on more than the mode. */
  defaultInWords?: string;
  /** An example for the documents, for a variable without a default. */
  example?: string;
}

/** Variables in the groups of the settings. */
export interface Table {
  readonly [setting: string]: Variable<unknown> | Table;
}

/** The values of the variables of a table, in the same groups. */
export type SettingsOf<T> = {
  [K in keyof T]: T[K] extends Variable<infer Value> ? Value : SettingsOf<T[K]>;
};

/** Settings in which any value can be missing, because its variable is invalid. */
export type UncheckedSettings<T> = {
  [K in keyof T]: T[K] extends Variable<infer Value> ? Value | undefined : UncheckedSettings<T[K]>;
};

/** Defines a variable. Without a default, its value is `undefined` if it is not set. */
export function variable<T>(
  name: string,
  rule: Joi.Schema<T>,
  about: About & { default: string },
): Variable<T>;
export function variable<T>(
  name: string,
  rule: Joi.Schema<T>,
  about: About,
): Variable<T | undefined>;
export function variable<T>(name: string, rule: Joi.Schema<T>, about: About): Variable<T> {
  return { name, rule, about };
}

/** Lists every variable of a table, in the order of the table. */
export function variablesOf(table: Table): Variable<unknown>[] {
  return Object.values(table).flatMap((node) => (isVariable(node) ? [node] : variablesOf(node)));
}

/**
 * Reads each variable of a table.
 * @returns the values, and the reason why a variable is not valid, by its name
 */
export function readTable<T extends Table>(
  table: T,
  source: NodeJS.ProcessEnv,
  production: boolean,
): { settings: UncheckedSettings<T>; faults: Map<string, string> } {
  const faults = new Map<string, string>();
  const read = (node: Variable<unknown> | Table): unknown => {
    if (isVariable(node)) return readVariable(node);
    return Object.fromEntries(Object.entries(node).map(([key, below]) => [key, read(below)]));
  };
  const readVariable = ({ name, rule, about }: Variable<unknown>): unknown => {
    const standard = (production ? about.productionDefault : undefined) ?? about.default;
    // Compose files set variables to an empty text. That counts as not set.
    const trimmed = source[name]?.trim();
    const text = about.verbatim && trimmed ? source[name]?.replace(/\r?\n$/, '') : trimmed;
    const result: Joi.ValidationResult<unknown> = rule.validate(
      text === '' ? (about.whenEmpty ?? standard) : (text ?? standard),
      {
        errors: { label: false },
      },
    );
    if (result.error) faults.set(name, reason(result.error));
    return result.error ? undefined : result.value;
  };
  return { settings: read(table) as UncheckedSettings<T>, faults };
}

function isVariable(node: Variable<unknown> | Table): node is Variable<unknown> {
  return 'rule' in node && 'about' in node;
}

/** Returns the message of a rule of this project without Joi's sentence around it, which contains the value. */
function reason(error: Joi.ValidationError): string {
  const own = error.details[0]?.context?.['error'] as Error | undefined;
  return own instanceof Joi.ValidationError ? reason(own) : (own?.message ?? error.message);
}
