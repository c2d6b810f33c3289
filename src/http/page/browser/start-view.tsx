import { CityLinks } from './search/city-links.js';

/** Places in several scripts, each in a language of the place (BCP 47). Their weather is fetched only after a click. */
const EXAMPLES = [
  { city: '東京', country: '日本', lang: 'ja' },
  { city: 'München', country: 'Deutschland', lang: 'de' },
  { city: 'القاهرة', country: 'مصر', lang: 'ar' },
  { city: 'São Paulo', country: 'Brasil', lang: 'pt' },
  { city: 'Nairobi', country: 'Kenya', lang: 'sw' },
  { city: 'Reykjavík', country: 'Ísland', lang: 'is' },
];

/** The example of the API description. A test compares them. */
const ANSWER =
  '{"location":{"city":"Paris","country":"France","latitude":null,"longitude":null},' +
  '"temperature":8.4,"condition":"Slight rain","humidity":87,"wind_speed":11.2}';

/** Places to try, and for developers one line to try, a typed client, and where to read on. */
export function Start() {
  // The page may be behind a path prefix.
  const base = new URL('.', location.href).href.replace(/\/$/, '');
  const client = [
    `// npx openapi-typescript ${base}/openapi.json -o weather.d.ts; npm install openapi-fetch`,
    `const client = createClient<paths>({ baseUrl: '${base}' });`,
    `const query = { city: 'Paris', country: 'France' };`,
    `const { data } = await client.GET('/api/v1/weather', { params: { query } });`,
  ].join('\n');
  return (
    <>
      <section class="examples" aria-labelledby="examples-title">
        <h2 id="examples-title">Try one of these</h2>
        <CityLinks cities={EXAMPLES} />
      </section>
      <section class="developers" aria-labelledby="developers-title">
        <h2 id="developers-title">For developers</h2>
        <p class="faint">One line</p>
        <pre>{`curl '${base}/api/v1/weather?city=Paris&country=France'`}</pre>
        <pre>{ANSWER}</pre>
        <p class="faint">A typed client</p>
        <pre>{client}</pre>
        <p>
          <a href="apidocs/">API documentation</a> · <a href="llms.txt">llms.txt</a> for language
          models · <code>{base}/mcp</code> for assistants (Model Context Protocol)
        </p>
      </section>
    </>
  );
}
