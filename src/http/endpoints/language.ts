import { ENGLISH, languageOf, LANGUAGES } from '../../weather/conditions/condition-texts.js';
import { text, type HeaderTable } from '../description/schemas.js';
import type { ParameterRule } from '../input/parameters.js';

/** The language of `condition`, such as `de-AT`. An unknown language is English. */
export const LANG: ParameterRule<string> = {
  read: ({ lang }) => (typeof lang === 'string' ? languageOf(lang) : ENGLISH),
  description: {
    name: 'lang',
    description: `Language of the texts: ${LANGUAGES.join(' ')}.`,
    type: 'string',
    default: ENGLISH,
  },
};

/** The header of a response whose texts are in the requested language. */
export const LANGUAGE_HEADER: HeaderTable<[unknown, { options: { lang: string } }]> = {
  'Content-Language': {
    schema: text('The language of the texts.', { examples: [ENGLISH] }),
    valueFor: (_value, { options }) => options.lang,
  },
};
