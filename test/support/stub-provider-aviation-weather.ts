import { dewPoint } from '../../src/weather/feels-like.js';
import { map, shownAt, type Shown, type Value } from './stub-provider-damage.js';
import { oneDecimal, type Sky } from './stub-provider-weather.js';
import { PATHS, type Api, type Stub, type World } from './stub-provider-world.js';

/** aviationweather.gov, as the stub provider serves it. A member without a value is absent. */

/** Present weather and clouds of each WMO code of the stub provider. */
const REPORTED: Record<number, { wxString?: string; cover: string }> = {
  0: { cover: 'CLR' },
  1: { cover: 'FEW' },
  2: { cover: 'SCT' },
  3: { cover: 'OVC' },
  45: { wxString: 'FG', cover: 'OVC' },
  61: { wxString: '-RA BR', cover: 'BKN' },
  63: { wxString: 'RA', cover: 'BKN' },
  75: { wxString: '+SN', cover: 'OVC' },
};
const reported = (sky: Sky | null) => (sky ? REPORTED[sky.wmo] : undefined);

const knots = (ms: Value) => map(ms, (value) => Math.round((value * 3.6) / 1.852));

/** A station is 1.1 km from its point, towards the equator. */
const DISTANCE_DEGREES = 0.01;

function metar(here: Shown, index: number) {
  const { latitude, longitude, temperature, humidity, sky } = here;
  const { wxString, cover } = reported(sky) ?? {};
  const dewp = map(temperature, (celsius) => oneDecimal(dewPoint(celsius, humidity) ?? Number.NaN));
  const observed = here.now - 600_000;
  return {
    icaoId: `K${String(index).padStart(3, '0')}`,
    receiptTime: new Date(observed + 240_000).toISOString(),
    obsTime: Math.floor(observed / 1000),
    reportTime: new Date(observed + 600_000).toISOString(),
    temp: temperature,
    dewp: dewp !== undefined && Number.isNaN(dewp) ? undefined : dewp,
    wdir: map(here.direction, (degrees) => Math.round(degrees / 10) * 10),
    wspd: knots(here.wind),
    wgst: knots(here.gustMs),
    visib: map(here.visibility, (meters) => Math.round(meters / 16.09344) / 100),
    altim: map(here.pressure, Math.round),
    slp: here.pressure,
    qcField: 4,
    wxString,
    metarType: 'METAR',
    rawOb: 'METAR K000 AUTO RMK AO2',
    lat: latitude + (latitude > 0 ? -DISTANCE_DEGREES : DISTANCE_DEGREES),
    lon: longitude,
    elev: 12,
    name: 'Test Intl, WA, US',
    cover,
    clouds: cover === undefined || cover === 'CLR' ? [] : [{ cover, base: 2000 }],
    fltCat: 'VFR',
  };
}

/** The stations in a box. */
function stationsIn(bbox: string, { stations }: World) {
  const [south = 0, west = 0, north = 0, east = 0] = bbox.split(',').map(Number);
  return stations.filter(
    ([latitude, longitude]) =>
      latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  );
}

const metars: Api = ({ now }, query, world) =>
  stationsIn(query.get('bbox') ?? '', world).map(([latitude, longitude], index) => {
    const damage = world.damages.get(`${latitude},${longitude}`) ?? {};
    return metar(shownAt(latitude, longitude, damage, now), index);
  });

/** An unknown parameter is an error. */
const DOCUMENTED = ['bbox', 'date', 'format', 'hours', 'ids', 'taf'];

export const AVIATION_WEATHER: Stub = {
  apis: { [PATHS.aviationWeather]: metars },
  statusOf({ path, query }, world) {
    if (path !== PATHS.aviationWeather) return 200;
    if ([...query.keys()].some((name) => !DOCUMENTED.includes(name))) return 400;
    // An empty response without a body.
    return stationsIn(query.get('bbox') ?? '', world).length === 0 ? 204 : 200;
  },
};
