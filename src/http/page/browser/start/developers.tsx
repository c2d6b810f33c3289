import { Component } from 'preact';
import { copy } from '../state/browser.js';

/** The example of the API description. A test compares them. */
export const ANSWER =
  '{"location":{"city":"Paris","country":"France","latitude":null,"longitude":null},' +
  '"temperature":8.4,"condition":"Slight rain","humidity":87,"wind_speed":11.2}';

/** What a developer needs to know: one line to try, a typed client, and where to read on. */
export function Developers() {
  // The page may be behind a path prefix.
  const base = new URL('.', location.href).href.replace(/\/$/, '');
  const curl = `curl '${base}/api/v1/weather?city=Paris&country=France'`;
  const client = [
    `// npx openapi-typescript ${base}/openapi.json -o weather.d.ts; npm install openapi-fetch`,
    `const client = createClient<paths>({ baseUrl: '${base}' });`,
    `const query = { city: 'Paris', country: 'France' };`,
    `const { data } = await client.GET('/api/v1/weather', { params: { query } });`,
  ].join('\n');
  return (
    <section class="developers" aria-labelledby="developers-title">
      <h2 id="developers-title">For developers</h2>
      <Code title="One line" text={curl} />
      <pre>
        <samp>{ANSWER}</samp>
      </pre>
      <Code title="A typed client" text={client} />
      <p>
        <a href="apidocs/">API documentation</a> · <a href="llms.txt">llms.txt</a> for language
        models · <code>{base}/mcp</code> for assistants (Model Context Protocol)
      </p>
    </section>
  );
}

/** A text, and a button that copies it. */
class Code extends Component<{ title: string; text: string }, { label: string }> {
  override state = { label: 'Copy' };

  readonly onClick = async () => {
    const isCopied = await copy(this.props.text);
    this.setState({ label: isCopied ? 'Copied' : 'Not allowed' });
  };

  override render() {
    const { title, text } = this.props;
    const { label } = this.state;
    return (
      <>
        <div class="code-title">
          <h3>{title}</h3>
          <button
            type="button"
            aria-label={`${label}: ${title}`}
            onClick={() => void this.onClick()}
          >
            {label}
          </button>
        </div>
        <pre>
          <code>{text}</code>
        </pre>
      </>
    );
  }
}
