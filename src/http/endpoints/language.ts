import { ENGLISH, languageOf, LANGUAGES } from '../../weather/conditions/condition-texts.js';
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

export const LANGUAGE_HEADER = ['Content-Language'];

/** The header of a response whose texts are in the requested language. */
export const languageHeader = (_value: unknown, { options }: { options: { lang: string } }) => ({
  'Content-Language': options.lang,
});
