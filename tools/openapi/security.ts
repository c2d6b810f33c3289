/** The session in the API description. */

/** OpenAPI 2.0 has no `in: cookie`, so the session is described as the request header `Cookie`. */
export const securityDefinitions = {
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'Cookie',
    description:
      'The signed cookie `session`, as `session=…; session.sig=…`. The first request for weather sets it. ' +
      'A browser stores and sends it by itself, also on this page: leave the field empty.',
  },
};

/** The same in OpenAPI 3.1. */
export const sessionCookie = {
  type: 'apiKey',
  in: 'cookie',
  name: 'session',
  description:
    'The signed cookie `session`, with its signature in `session.sig`. The first request for weather sets both. ' +
    'A browser stores and sends them by itself.',
};
