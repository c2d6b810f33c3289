/**
 * `npm run check:providers`: calls each real provider for three places with the queries of the
 * service, and prints value by value whether the reply is as the adapters expect. The exit code is
 * 1 if one is not, and 2 if a variable is invalid. It reads the variables of the service: by
 * default, it calls the providers that need no key.
 */
import { ConfigError, loadConfig, type Config } from '../../src/config/config.js';
import { keyVariable, PROVIDERS } from '../../src/config/providers.js';
import { checkProviders } from './check.js';

const usable = PROVIDERS.filter(
  ([name, { apiKey }]) => apiKey !== 'required' || process.env[keyVariable(name)],
).map(([name]) => name);
let config: Config;
try {
  config = loadConfig({ WEATHER_PROVIDERS: usable.join(), ...process.env });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
const found = await checkProviders(config);
for (const { status, provider, place, what, detail } of found) {
  process.stdout.write(`${status.padEnd(5)} ${provider}, ${place}: ${what} ${detail}\n`);
}
const wrong = found.filter(({ status }) => status === 'wrong').length;
process.stdout.write(`\n${found.length} values and replies, ${wrong} wrong\n`);
process.exitCode = wrong > 0 ? 1 : 0;
