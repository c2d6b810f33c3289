/** Name and version of this program, as `package.json` has them (a test holds them together). */
export const SERVICE_NAME = 'weather-lookup-service';
export const SERVICE_VERSION = '1.0.0';
/** Where providers find out who calls them. */
export const SERVICE_REPOSITORY =
  'https://github.com/weather-lookup-service/weather-lookup-service';
