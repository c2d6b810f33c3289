import Joi from 'joi';

/** One environment variable: how it is read, and what the documents say about it. */
export interface Variable<T> {
  readonly name: string;
  readonly rule: Joi.Schema<T>;
  readonly about: About;
}

export interface About {
  /** One to three sentences for docs/configuration.md and `.env.example`. */
  meaning: string;
  /** The text that counts while the variable is not set. */
  default?: string;
  /** The same for NODE_ENV=production, where it differs. */
  productionDefault?: string;
  /** The text that counts when the variable is set to nothing; without it: as if it were not set. */
  whenEmpty?: string;
  /** Blanks around its text belong to it; the line break at the end of a file does not. */
  verbatim?: true;
  /** What the documents say instead of a default that depends on more than the mode. */
  defaultInWords?: string;
  /** A text that the documents show where there is no default. */
  example?: string;
}

/** Variables in groups, as the settings are grouped. */
export interface Table {
  readonly [setting: string]: Variable<unknown> | Table;
}

/** The values that a table's variables become: the same groups, a value in place of a variable. */
export type SettingsOf<T> = {
  [K in keyof T]: T[K] extends Variable<infer Value> ? Value : SettingsOf<T[K]>;
};

/** The same before it is known that nothing is wrong: any value may be missing. */
export type Unchecked<T> = {
  [K in keyof T]: T[K] extends Variable<infer Value> ? Value | undefined : Unchecked<T[K]>;
};

/** Describes a variable. Without a default its value is `undefined` while it is not set. */
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

/** Every variable of a table, in its order. */
export function variablesOf(table: Table): Variable<unknown>[] {
  return Object.values(table).flatMap((node) => (isVariable(node) ? [node] : variablesOf(node)));
}

/**
 * Reads each variable of a table by itself.
 * @returns the values, and why a variable is not valid, by its name
 */
export function readTable<T extends Table>(
  table: T,
  source: NodeJS.ProcessEnv,
  production: boolean,
): { settings: Unchecked<T>; faults: Map<string, string> } {
  const faults = new Map<string, string>();
  const read = (node: Variable<unknown> | Table): unknown => {
    if (isVariable(node)) return readVariable(node);
    return Object.fromEntries(Object.entries(node).map(([key, below]) => [key, read(below)]));
  };
  const readVariable = ({ name, rule, about }: Variable<unknown>): unknown => {
    const standard = (production ? about.productionDefault : undefined) ?? about.default;
    // A variable that is set to nothing is not set: Compose files do that.
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
  return { settings: read(table) as Unchecked<T>, faults };
}

function isVariable(node: Variable<unknown> | Table): node is Variable<unknown> {
  return 'rule' in node && 'about' in node;
}

/** The message of our own rule where there is one: Joi wraps it in a sentence with the value. */
function reason(error: Joi.ValidationError): string {
  const own = error.details[0]?.context?.['error'] as Error | undefined;
  return own instanceof Joi.ValidationError ? reason(own) : (own?.message ?? error.message);
}
