import { SHORT_WORDS } from '../../src/weather/fold.js';
import { typedForms } from '../../src/places/typed-names.js';

/** A name that folding leaves as it is, but for capitals. */
const PLAIN = /^[a-z]+$/;
/** Words with a longer or a shorter form. */
const HAS_FORMS = new Set(Object.entries(SHORT_WORDS).flat());
/** The forms of all other texts that were ever asked for. */
const known = new Map<string, string[]>();

/**
 * `typedForms`, computed once for each text. The build asks for each of its million names in several
 * passes, and folding is most of its work.
 */
export function typedFormsOnce(name: string): string[] {
  const lower = name.toLowerCase();
  if (PLAIN.test(lower) && !HAS_FORMS.has(lower)) return [lower];
  let forms = known.get(name);
  if (!forms) known.set(name, (forms = typedForms(name)));
  return forms;
}

/** `fold`, computed once for each text: it is the first of the typed forms. */
export function foldOnce(name: string): string {
  return typedFormsOnce(name)[0] ?? '';
}
