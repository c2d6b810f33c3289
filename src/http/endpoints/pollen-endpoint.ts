import { isInCamsEurope } from '../../weather/kinds/cams-europe.js';
import { POLLEN, POLLEN_QUANTITIES } from '../../weather/kinds/pollen.js';
import { offsetTime } from '../../weather/time/local-time.js';
import { objectSchema, reference, text } from '../description/schemas.js';
import { locationEndpoint } from './endpoint.js';
import { PLACE, placeOf } from './found-place.js';
import { HOUR_OF_VALUES, quantityMembers, sourceMembers } from './members.js';

/** The pollen in the air now. */
export const POLLEN_ENDPOINT = locationEndpoint({
  path: '/api/v1/pollen',
  kind: POLLEN,
  publicFor: ['name', 'coordinates', 'airport'],
  parameters: {},
  body: objectSchema('PollenRecord', {
    place: [reference(PLACE), PLACE.example],
    time: HOUR_OF_VALUES,
    coverage: [
      text(
        '`europe`: a model with points 11 km apart, which is no station; 0 out of season. `none`: outside of Europe no model has ' +
          'pollen, so all values are null.',
        { enum: ['europe', 'none'] },
      ),
      'none',
    ],
    ...quantityMembers(POLLEN_QUANTITIES),
    ...sourceMembers('pollen'),
  }),
  membersOf({ time, ...values }, { located: { place, point, timeZone }, provider, credit }) {
    return {
      place: placeOf(place, timeZone),
      time: offsetTime(timeZone, time),
      coverage: isInCamsEurope(point) ? 'europe' : 'none',
      ...values,
      provider,
      attribution: credit,
    };
  },
  summary: 'Pollen',
});
