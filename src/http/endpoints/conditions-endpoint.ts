import { conditionIn } from '../../weather/conditions/condition-texts.js';
import {
  CURRENT_QUANTITIES,
  CURRENT_WEATHER,
  type Station,
} from '../../weather/kinds/current-weather.js';
import { isDaylight } from '../../weather/time/sun.js';
import { offsetTime } from '../../weather/time/local-time.js';
import { orNull, objectSchema, reference, type Schema } from '../description/schemas.js';
import { locationEndpoint } from './endpoint.js';
import { LANG, LANGUAGE_HEADER } from './language.js';
import { CONDITION, IS_DAY, offsetTimeText, quantityMembers, sourceMembers } from './members.js';
import { PLACE, placeOf } from './found-place.js';

const STATION: Schema<Station> = {
  object: {
    type: 'object',
    required: ['id', 'name', 'distance_km', 'elevation'],
    properties: {
      id: { type: 'string' },
      name: { type: 'string' },
      distance_km: { type: 'number' },
      elevation: { type: ['number', 'null'] },
    },
    description: 'Station that measured (`elevation` in m); null for a model.',
  },
};

const { temperature, feels_like, ...others } = quantityMembers(CURRENT_QUANTITIES);

const BODY = objectSchema('ConditionsRecord', {
  place: [reference(PLACE), PLACE.example],
  time: [
    orNull(offsetTimeText('The time that the values are for, local, with its UTC offset.')),
    '2026-11-25T17:15-08:00',
  ],
  temperature,
  feels_like,
  ...CONDITION,
  is_day: [IS_DAY, false],
  ...others,
  station: [orNull(STATION), null],
  ...sourceMembers('current'),
});

/** All values of the current weather: another view of its cache entry. */
export const CONDITIONS = locationEndpoint({
  path: '/api/v1/conditions',
  kind: CURRENT_WEATHER,
  publicFor: ['coordinates', 'airport'],
  parameters: { lang: LANG },
  body: BODY,
  membersOf(weather, { options, located: { place, point, timeZone }, provider, credit, now }) {
    const { time, temperature, feels_like, weather_code, ...others } = weather;
    return {
      place: placeOf(place, timeZone),
      time: offsetTime(timeZone, time),
      temperature,
      feels_like,
      condition: conditionIn(options.lang, weather_code),
      weather_code,
      is_day: isDaylight(point, now),
      ...others,
      provider,
      attribution: credit,
    };
  },
  headers: LANGUAGE_HEADER,
  summary: 'Current conditions',
});
