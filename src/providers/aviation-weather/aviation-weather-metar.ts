import Joi from 'joi';
import { atMost, maybe, objectOf, type Validated } from '../../upstream/schema.js';
import { UNKNOWN_CODE } from '../../weather/conditions/conditions.js';
import { codeOfGroups, type WeatherGroup } from '../../weather/conditions/weather-groups.js';
import { relativeHumidity } from '../../weather/feels-like.js';
import { MINUTE_MS } from '../../weather/time/durations.js';
import type { Maybe } from '../../weather/types.js';
import type { RawTime } from '../kind-values.js';
import {
  feelsLikeOf,
  instantOfSeconds,
  maybeNumber,
  maybeText,
  sameSchema,
} from '../weather-values.js';

export const NAME = 'aviation-weather';

/**
 * Stations report every half hour or every hour. Longer: weather of an earlier hour. Shorter: a
 * late report ends the data.
 */
const MAX_AGE_MS = 90 * MINUTE_MS;
/** Clocks of stations can be fast. */
const MAX_AHEAD_MS = 10 * MINUTE_MS;
/** Above, the pressure for altimeters can differ from that at sea level by several hPa. */
const MAX_ALTIMETER_M = 500;

const KMH_PER_KNOT = 1.852;
const METERS_PER_MILE = 1609.344;
const MM_PER_INCH = 25.4;
/** By definition, fog that is shallow, in patches, or partial counts below this visibility. */
const FOG_METERS = 1000;

const numberOrText = maybe(
  Joi.alternatives<number | string>(Joi.number().unsafe(), Joi.string().allow('')),
);

/** Any member may be absent or null. */
export const METAR = objectOf({
  ...sameSchema(['icaoId', 'name', 'wxString', 'cover', 'metarType', 'rawOb'], maybeText),
  // Seconds since the Unix epoch; meters; degrees Celsius; knots; inches. In hectopascals, `slp` is
  // at sea level, and `altim` is for altimeters.
  ...sameSchema(
    ['obsTime', 'elev', 'temp', 'dewp', 'wspd', 'wgst', 'slp', 'altim', 'precip'],
    maybeNumber,
  ),
  // Degrees, or `VRB`.
  wdir: numberOrText,
  // Miles, or a bound such as `6+`.
  visib: numberOrText,
  clouds: maybe(atMost(20, objectOf({ cover: maybeText }))),
});
export type Metar = Validated<typeof METAR>;

/**
 * The WMO code and the percentage of each amount of clouds, from clear to overcast. `OVX` is a sky
 * that cannot be seen.
 */
const COVERS: Record<string, [code: number, percent: number | undefined]> = {
  // These say nothing of high clouds.
  ...{ CLR: [0, undefined], CAVOK: [0, undefined], NSC: [0, undefined], NCD: [0, undefined] },
  ...{ SKC: [0, 0], FEW: [1, 19], SCT: [2, 44], BKN: [3, 75], OVC: [3, 100], OVX: [3, 100] },
};

/**
 * The weather of a report.
 * @param now the reference time, in milliseconds since the Unix epoch
 * @returns undefined if the report is old, empty, or of another kind
 */
export function weatherOf(metar: Metar, distanceKm: number, now: number): RawTime | undefined {
  const { icaoId, name, elev, temp, dewp, wspd, wgst, wdir, precip, metarType, rawOb } = metar;
  const time = instantOfSeconds(metar.obsTime);
  const isCurrent = time >= now - MAX_AGE_MS && time <= now + MAX_AHEAD_MS;
  const isReport = ['METAR', 'SPECI', undefined, null].includes(metarType);
  if (!isCurrent || !isReport || /\bNIL\b/.test(rawOb ?? '')) return undefined;
  // Both are necessary, although the contract does not require the dew point.
  const values = {
    temperature: temp,
    humidity: relativeHumidity(temp, dewp),
    wind_speed: times(wspd, KMH_PER_KNOT),
  };
  const visibility = times(milesOf(metar.visib), METERS_PER_MILE);
  const [ofSky, cloudCover] = COVERS[coverOf(metar) ?? ''] ?? [];
  const groups = groupsOf(metar.wxString ?? '', visibility);
  return {
    ...values,
    time,
    feels_like: feelsLikeOf(values),
    dew_point: dewp,
    pressure: pressureOf(metar),
    cloud_cover: cloudCover,
    precipitation: times(precip, MM_PER_INCH),
    wind_gusts: times(wgst, KMH_PER_KNOT),
    wind_direction: typeof wdir === 'number' ? wdir : undefined,
    visibility,
    weather_code: codeOfGroups(groups) ?? ofSky ?? (groups.length > 0 ? UNKNOWN_CODE : undefined),
    station: {
      id: icaoId ?? '',
      name: name?.split(',')[0] ?? icaoId ?? '',
      distance_km: Math.round(distanceKm * 10) / 10,
      elevation: elev ?? null,
    },
  };
}

/**
 * The groups of present weather, such as `-RA BR`. Fog that is shallow, in patches, or partial says
 * nothing of the sky unless the visibility is that of fog.
 */
function groupsOf(wxString: string, visibility: Maybe<number>): WeatherGroup[] {
  const isFoggy = visibility != null && visibility < FOG_METERS;
  return wxString
    .split(/\s+/)
    .filter((group) => /^[-+]?[A-Z]+$/.test(group))
    .map((group) => {
      const codes: string[] = group.match(/[A-Z]{2}/g) ?? [];
      const isPartial = ['MI', 'BC', 'PR'].some((code) => codes.includes(code)) && !isFoggy;
      return {
        intensity: group.startsWith('-') ? 'light' : group.startsWith('+') ? 'heavy' : 'moderate',
        codes: isPartial ? codes.filter((code) => code !== 'FG') : codes,
      };
    });
}

/** The amount of clouds: that of the whole sky or, in older replies, that of the thickest layer. */
function coverOf({ cover, clouds }: Metar): string | undefined {
  if (cover) return cover;
  const order = Object.keys(COVERS);
  const covers = (clouds ?? []).flatMap((layer) => layer.cover ?? []);
  return covers.sort((a, b) => order.indexOf(b) - order.indexOf(a))[0];
}

function pressureOf({ slp, altim, elev }: Metar): Maybe<number> {
  return slp ?? (elev != null && elev <= MAX_ALTIMETER_M ? altim : undefined);
}

/** Miles in figures, such as 7, `1.75`, or `1 1/2`; undefined for a bound such as `10+`. */
function milesOf(visibility: Maybe<number | string>): number | undefined {
  if (typeof visibility !== 'string') return visibility ?? undefined;
  const [, whole, top, bottom] = /^(\d+(?:\.\d+)?)?(?: ?(\d+)\/(\d+))?$/.exec(visibility) ?? [];
  if (whole === undefined && top === undefined) return undefined;
  return Number(whole ?? 0) + (top === undefined ? 0 : Number(top) / Number(bottom));
}

const times = (value: Maybe<number>, factor: number) => (value == null ? value : value * factor);
