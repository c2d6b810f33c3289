import { t } from './state/language.js';

/** The example of the API description. A test compares them. */
const ANSWER =
  '{"location":{"city":"Paris","country":"France","latitude":null,"longitude":null},' +
  '"temperature":8.4,"condition":"Slight rain","humidity":87,"wind_speed":11.2}';

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
