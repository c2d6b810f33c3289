import { map, shownHour, type Shown } from './stub-provider-damage.js';
import { kmhOfMs, listOf, type StubKind } from './stub-provider-kind.js';
import { fahrenheit, percent, windText } from './stub-provider-weather-gov.js';
import { PATHS } from './stub-provider-world.js';

/** The hourly forecasts of the stub provider, as each of the real services responds with them. */

const HOUR_MS = 3_600_000;

/**
 * The values of `hourly` of Open-Meteo by variable, from the present hour on, in UTC. Precipitation, its probability,
 * gusts, and the weather code are those of the hour before the time.
 */
function openMeteoHourly(
  here: Shown,
  hourCount: number,
  isUnixTime: boolean,
): Record<string, unknown[]> {
  const first = Math.floor(here.now / HOUR_MS) * HOUR_MS;
  const times = Array.from({ length: hourCount }, (_, index) => first + index * HOUR_MS);
  const hours = times.map((at) => shownHour(here, at));
  const before = times.map((at) => shownHour(here, at - HOUR_MS));
  const iso = (at: number) => new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
  return {
    time: times.map((at) => (isUnixTime ? at / 1000 : iso(at))),
    temperature_2m: listOf(hours, ({ temperature }) => temperature),
    relative_humidity_2m: listOf(hours, ({ humidity }) => humidity),
    apparent_temperature: listOf(hours, ({ feelsLike }) => feelsLike),
    cloud_cover: listOf(hours, ({ clouds }) => clouds),
    wind_speed_10m: listOf(hours, ({ wind }) => kmhOfMs(wind)),
    wind_direction_10m: listOf(hours, ({ direction }) => map(direction, Math.round)),
    precipitation: listOf(before, ({ rain }) => rain),
    precipitation_probability: listOf(before, ({ probability }) => probability),
    weather_code: listOf(before, ({ sky }) => sky?.wmo),
    wind_gusts_10m: listOf(before, ({ gustMs }) => kmhOfMs(gustMs)),
  };
}

const POINTS_OF_COMPASS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** The hourly periods of api.weather.gov, from the present hour on. */
function weatherGovHours(here: Shown) {
  const first = Math.floor(here.now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: 156 }, (_, index) => {
    const at = first + index * HOUR_MS;
    const { temperature, humidity, probability, sky, wind, direction } = shownHour(here, at);
    return {
      number: index + 1,
      startTime: new Date(at - 8 * HOUR_MS).toISOString().replace('.000Z', '-08:00'),
      isDaytime: true,
      temperature: fahrenheit(temperature),
      temperatureUnit: 'F',
      probabilityOfPrecipitation: percent(probability),
      relativeHumidity: percent(humidity),
      windSpeed: windText(map(wind, (ms) => Math.round(ms / 0.44704))),
      windDirection: POINTS_OF_COMPASS[(direction ?? 0) / 22.5] ?? '',
      icon: sky && `https://api.weather.gov/icons/land/day/${sky.nws[0]},40?size=small`,
      shortForecast: sky?.nws[1] ?? '',
    };
  });
}

export const HOURLY: StubKind = {
  apis: {
    [PATHS.weatherGovHourly]: (here) => ({ properties: { periods: weatherGovHours(here) } }),
  },
  openMeteo: {
    hourly: (here, query) =>
      openMeteoHourly(
        here,
        Number(query.get('forecast_hours') ?? 168),
        query.get('timeformat') === 'unixtime',
      ),
  },
};
