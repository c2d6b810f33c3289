import { categoryIn } from '../../weather/air-categories.js';
import { AIR_QUALITY, AIR_QUANTITIES } from '../../weather/kinds/air-quality.js';
import { offsetTime } from '../../weather/time/local-time.js';
import { integer, objectSchema, orNull, reference, text } from '../description/schemas.js';
import { locationEndpoint } from './endpoint.js';
import { PLACE, placeOf } from './found-place.js';
import { LANG, LANGUAGE_HEADER } from './language.js';
import { HOUR_OF_VALUES, quantityMembers, sourceMembers } from './members.js';

const { european_aqi, ...others } = quantityMembers(AIR_QUANTITIES);

/** The quality of the air now. */
export const AIR_QUALITY_ENDPOINT = locationEndpoint({
  path: '/api/v1/air-quality',
  kind: AIR_QUALITY,
  publicFor: ['name', 'coordinates', 'airport'],
  parameters: { lang: LANG },
  body: objectSchema('AirQualityRecord', {
    place: [reference(PLACE), PLACE.example],
    time: HOUR_OF_VALUES,
    european_aqi,
    category: [
      orNull(
        text(
          'The band of `european_aqi` in words, in the language of the request: Good up to 20, Fair up to 40, Moderate up to ' +
            '60, Poor up to 80, Very poor up to 100, Extremely poor above.',
        ),
      ),
      'Fair',
    ],
    ...others,
    resolution_km: [
      orNull(
        integer(
          'Kilometers between two points of the model, which is no station: 11 in Europe, 45 elsewhere.',
          { minimum: 1 },
        ),
      ),
      45,
    ],
    ...sourceMembers('air'),
  }),
  membersOf(air, { options, located: { place, timeZone }, provider, credit }) {
    const { time, european_aqi: index, ...values } = air;
    return {
      place: placeOf(place, timeZone),
      time: offsetTime(timeZone, time),
      european_aqi: index,
      category: categoryIn(options.lang, index),
      ...values,
      provider,
      attribution: credit,
    };
  },
  headers: LANGUAGE_HEADER,
  summary: 'Air quality',
});
