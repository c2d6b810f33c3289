import { kmhOfMs, listOf, map, shownDays, shownHour, type Shown } from './stub-provider-damage.js';
import { stubAir, stubEuropeanIndex } from './stub-provider-air.js';
import { searchPlaces } from './stub-provider-places.js';
import { kmhOfMph } from './stub-provider-weather.js';
import { PATHS, type Api, type Stub } from './stub-provider-world.js';

/** Open-Meteo, as the stub provider serves it: the values of each group by variable. */

const HOUR_MS = 3_600_000;

/**
 * The values of `daily` of Open-Meteo by variable. The real service computes sunrise and sunset
 * with today's offset from UTC, so they are wrong by an hour beyond a clock change.
 */
function openMeteoDaily(here: Shown, dayCount: number): Record<string, unknown[]> {
  const days = shownDays(here, dayCount);
  return {
    time: days.map(({ date }) => date),
    temperature_2m_min: listOf(days, ({ min }) => min),
    temperature_2m_max: listOf(days, ({ max }) => max),
    weather_code: listOf(days, ({ sky }) => sky?.wmo),
    precipitation_sum: listOf(days, ({ rain }) => rain),
    precipitation_probability_max: listOf(days, ({ probability }) => probability),
    wind_speed_10m_max: listOf(days, ({ windMph }) => map(windMph, kmhOfMph)),
    wind_gusts_10m_max: listOf(days, ({ gustMs }) => kmhOfMs(gustMs)),
    uv_index_max: listOf(days, ({ uv }) => uv),
    snowfall_sum: listOf(days, ({ snow }) => snow),
    sunrise: days.map(({ date }) => `${date}T07:31`),
    sunset: days.map(({ date }) => `${date}T16:23`),
  };
}

/**
 * The values of `hourly` of Open-Meteo by variable, from the current hour on, in UTC. Precipitation
 * and its probability, gusts, and the weather code describe the hour before the time.
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

/** Each group's values by variable. `time` and `interval` are always sent, others on request. */
const GROUPS: Record<string, (here: Shown, query: URLSearchParams) => Record<string, unknown>> = {
  current: (here) => ({
    time: new Date(Math.floor(here.now / 900_000) * 900_000).toISOString().slice(0, 16),
    interval: 900,
    temperature_2m: here.temperature,
    relative_humidity_2m: here.humidity,
    apparent_temperature: here.feelsLike,
    weather_code: here.sky?.wmo ?? null,
    pressure_msl: here.pressure,
    // The sum of a quarter of an hour.
    precipitation: map(here.rain, (rate) => rate / 4),
    cloud_cover: here.clouds,
    wind_speed_10m: kmhOfMs(here.wind),
    wind_direction_10m: map(here.direction, Math.round),
    wind_gusts_10m: kmhOfMs(here.gustMs),
    visibility: here.visibility,
    uv_index: here.uv,
    is_day: Number(here.isDay),
  }),
  hourly: (here, query) =>
    openMeteoHourly(
      here,
      Number(query.get('forecast_hours') ?? 168),
      query.get('timeformat') === 'unixtime',
    ),
  daily: (here, query) => openMeteoDaily(here, Number(query.get('forecast_days') ?? 7)),
};

const forecast: Api = (here, query) => {
  const requested = Object.entries(GROUPS).filter(([name]) => query.has(name));
  return {
    // The grid cell of the model, not the point of the request.
    latitude: Math.fround(Math.round(here.latitude * 8) / 8),
    longitude: Math.fround(Math.round(here.longitude * 8) / 8),
    timezone: query.get('timezone') ?? 'GMT',
    ...Object.fromEntries(
      requested.map(([name, valuesOf]) => {
        const values = valuesOf(here, query);
        const variables = ['time', 'interval', ...(query.get(name) ?? '').split(',')];
        return [name, Object.fromEntries(variables.map((each) => [each, values[each]]))];
      }),
    ),
  };
};

/** Whether Open-Meteo has pollen: it has none outside of the European model. */
export const hasStubPollen = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  latitude >= 30 && latitude < 72 && longitude >= -25 && longitude < 45;

/** The time is that of the hour. A value that is not finite is null. */
const airQuality: Api = (here, query) => {
  const air = stubAir(here);
  const grains = hasStubPollen(here) ? here.uv : null;
  const values: Record<string, unknown> = {
    european_aqi: stubEuropeanIndex(air),
    us_aqi: here.clouds,
    ...{ pm2_5: air.pm2_5, pm10: air.pm10, ozone: air.o3, nitrogen_dioxide: air.no2 },
    ...{ sulphur_dioxide: air.so2, carbon_monoxide: air.co },
    // Out of season.
    ...{ alder_pollen: map(grains, () => 0), birch_pollen: map(grains, () => 0) },
    ...{ grass_pollen: grains, mugwort_pollen: grains, olive_pollen: grains },
    ragweed_pollen: grains,
  };
  const variables = (query.get('current') ?? '').split(',');
  return {
    ...{ latitude: here.latitude, longitude: here.longitude, elevation: 32 },
    current: {
      time: new Date(Math.floor(here.now / HOUR_MS) * HOUR_MS).toISOString().slice(0, 16),
      interval: 3600,
      ...Object.fromEntries(variables.map((name) => [name, values[name] ?? null])),
    },
  };
};

/** Without a match, the member `results` is missing. */
const geocoding: Api = (_here, query, { places }) => {
  const results = searchPlaces(places, query);
  return { ...(results.length > 0 && { results }), generationtime_ms: 0.54883957 };
};

/** The number of calls that a call counts as, as Open-Meteo counts it for one point. */
export function openMeteoCost(query: Record<string, string>): number {
  const lists = ['current', 'hourly', 'daily'].flatMap((name) => query[name]?.split(',') ?? []);
  const days = Number(query['forecast_days'] ?? 7);
  return Math.max(1, lists.length / 10, (lists.length / 10) * (days / 14));
}

export const OPEN_METEO: Stub = {
  apis: {
    [PATHS.openMeteo]: forecast,
    [PATHS.openMeteoAir]: airQuality,
    [PATHS.geocoding]: geocoding,
  },
};
