/** The example of the API description. A test compares them. */
const ANSWER =
  '{"location":{"city":"Paris","country":"France","latitude":null,"longitude":null},' +
  '"temperature":8.4,"condition":"Slight rain","humidity":87,"wind_speed":11.2}';

/** What a developer needs to know: one line to try, a typed client, and where to read on. */
export function Developers() {
  // The page may be behind a path prefix.
  const base = new URL('.', location.href).href.replace(/\/$/, '');
  const client = [
    `// npx openapi-typescript ${base}/openapi.json -o weather.d.ts; npm install openapi-fetch`,
    `const client = createClient<paths>({ baseUrl: '${base}' });`,
    `const query = { city: 'Paris', country: 'France' };`,
    `const { data } = await client.GET('/api/v1/weather', { params: { query } });`,
  ].join('\n');
  return (
    <section class="developers" aria-labelledby="developers-title">
      <h2 id="developers-title">For developers</h2>
      <h3>One line</h3>
      <pre>{`curl '${base}/api/v1/weather?city=Paris&country=France'`}</pre>
      <pre>{ANSWER}</pre>
      <h3>A typed client</h3>
      <pre>{client}</pre>
      <p>
        <a href="apidocs/">API documentation</a> · <a href="llms.txt">llms.txt</a> for language
        models · <code>{base}/mcp</code> for assistants (Model Context Protocol)
      </p>
    </section>
  );
}
