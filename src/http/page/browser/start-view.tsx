import { CityLinks } from './search/city-links.js';
import { t } from './state/language.js';

/** Places in several scripts, each in a language of the place. Their weather is fetched only after a click. */
const EXAMPLES = [
  { city: '東京', country: '日本' },
  { city: 'München', country: 'Deutschland' },
  { city: 'القاهرة', country: 'مصر' },
  { city: 'São Paulo', country: 'Brasil' },
  { city: 'Nairobi', country: 'Kenya' },
  { city: 'Reykjavík', country: 'Ísland' },
];

/** The example of the API description. A test compares them. */
const ANSWER =
  '{"location":{"city":"Paris","country":"France","latitude":null,"longitude":null},' +
  '"temperature":8.4,"condition":"Slight rain","humidity":87,"wind_speed":11.2}';

export function Examples() {
  return (
    <section class="examples" aria-labelledby="examples-title">
      <h2 id="examples-title">{t.examples}</h2>
      <CityLinks places={EXAMPLES} />
    </section>
  );
}

/** For developers, one line to try, its response, and where to read on. */
export function Developers() {
  // The page may be behind a path prefix.
  const base = new URL('.', location.href).href.replace(/\/$/, '');
  const hasMcp = 'mcp' in document.documentElement.dataset;
  return (
    <details>
      <summary>{t.developers}</summary>
      <div dir="ltr" lang="en">
        <pre>{`curl '${base}/api/v1/weather?city=Paris&country=France'`}</pre>
        <pre>{ANSWER}</pre>
        <p>
          <a href="apidocs/">API documentation</a> · <a href="openapi.json">OpenAPI description</a>{' '}
          · <a href="llms.txt">llms.txt</a> for language models
          {hasMcp && (
            <>
              {' '}
              · <code>{base}/mcp</code> for assistants (Model Context Protocol)
            </>
          )}
        </p>
      </div>
    </details>
  );
}
