/** The credit that a provider requires. */
export interface Credit {
  text: string;
  /** The address of the source, if there is one. */
  href?: string;
  /** The text after the link. */
  rest?: string;
}

/** Splits "Text <address>, license" into a link and the rest. */
export function creditIn(attribution: string): Credit {
  const [, text, href, rest = ''] = /^(.*?) <(https?:\/\/[^<>]+)>(.*)$/.exec(attribution) ?? [];
  return text && href ? { text, href, rest } : { text: attribution };
}
