import type { Context } from 'koa';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { DIST } from '../../dist-folder.js';
import { cleanName } from '../../text/place-names.js';
import type { Gazetteer } from '../../weather/types.js';
import type { Answer } from '../answer.js';
import type { AppContext, Route } from '../context.js';
import { errorAnswer, pathNotFound } from '../error-answers.js';
import { parametersOf } from '../input/request-target.js';
import { isDegrees, type Input } from '../input/validate.js';
import { createResource, pageHeaders, type Resource } from '../resource.js';

/** The folder into which the build writes the page. */
const FOLDER = new URL('http/page/browser/', DIST);
const INDEX = 'index.html';

type PlacesOfLinks = Pick<Gazetteer, 'byCode' | 'nearest'>;

/** The files of the page, under `/page/`. Their names contain a hash of their content. */
export const PAGE_ASSETS = readdirSync(FOLDER).filter((name) => name !== INDEX);

/**
 * The routes of the web page at `/`. Clients that prefer JSON get a 404. Reads its files once.
 *
 * @param gazetteer names the place of a link with coordinates, or with the code of an airport
 * @param hasMcp whether the page names the endpoint for assistants
 */
export function pageRoutes(gazetteer: PlacesOfLinks, hasMcp: boolean): Route[] {
  const vary = { Vary: 'Origin, Accept' };
  const noPage = errorAnswer(pathNotFound(vary));
  const page = indexPage((input) => placeIn(input, gazetteer), hasMcp, vary);
  const assets = new Map(
    PAGE_ASSETS.map((name) => [
      `/page/${name}`,
      createResource(extname(name), readAsset(name), FOREVER),
    ]),
  );
  return [
    {
      method: 'get',
      paths: ['/'],
      // `*/*`, which curl and link previews send, matches the first type: the page.
      answer: (ctx) => (ctx.accepts('html', 'json') === 'json' ? noPage : page(ctx)),
    },
    {
      method: 'get',
      // One route for the files of all releases, so that metrics have one series for them.
      paths: ['/page/:file'],
      answer: (ctx) => {
        const asset = assets.get(ctx.state.target.path);
        if (!asset) throw pathNotFound();
        return asset(ctx);
      },
    },
  ];
}

/** A name with a hash never has another content. */
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

const readAsset = (name: string): Buffer => readFileSync(new URL(name, FOLDER));

/** Creates the page itself. If its address has a place, the preview of the link names the place. */
function indexPage(
  placeOf: (input: Input) => string | undefined,
  hasMcp: boolean,
  vary: Record<string, string>,
): Resource {
  const text = readAsset(INDEX).toString();
  const html = hasMcp ? text.replace('<html', '<html data-mcp="mcp"') : text;
  const headers = {
    ...pageHeaders(html, "style-src 'self'", "img-src 'self'", "form-action 'self'"),
    ...vary,
  };
  const usual = createResource('.html', Buffer.from(html), headers);
  return (ctx: Context): Promise<Answer> => {
    const { target } = ctx.state as AppContext['state'];
    const place = placeOf(parametersOf(target));
    if (!place) return usual(ctx);
    const titled = html.replace('"og:title" content="', `$&${escapeHtml(place)}: `);
    return createResource('.html', Buffer.from(titled), headers)(ctx);
  };
}

/** Returns the place that a link names: "Oslo, Norway". Previews show only what lookups accept. */
function placeIn(input: Input, { byCode, nearest }: PlacesOfLinks): string | undefined {
  const { airport, city, country, lat, lon } = input;
  if (typeof airport === 'string') {
    const place = byCode(airport.trim().toUpperCase());
    return place && `${place.airport ?? place.city}, ${place.country}`;
  }
  if (isDegrees('lat', lat) && isDegrees('lon', lon)) {
    const place = nearest({ latitude: Number(lat), longitude: Number(lon) });
    return place && `${place.uniqueName}, ${place.country}`;
  }
  const names = [city, country].flatMap((name) => {
    const cleaned = typeof name === 'string' ? cleanName(name) : undefined;
    return cleaned?.ok ? [cleaned.name.shown] : [];
  });
  return names.length === 2 ? names.join(', ') : undefined;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
