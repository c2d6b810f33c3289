import etag from 'etag';
import type { Answer } from '../weather/current-weather.js';
import type { Weather } from '../weather/types.js';

/** The JSON text of an answer, and its weak entity tag. */
export interface WeatherBody {
  text: string;
  tag: string;
}

interface Rendered extends WeatherBody {
  /** The JSON text of the location, which echoes the request. */
  location: string;
}

/**
 * Writes weather records. What was written last for a cached weather is remembered for as long as
 * the cache keeps that weather: most requests for a place spell it alike.
 */
export function createWeatherBodies(): (answer: Answer) => WeatherBody {
  const rendered = new WeakMap<Weather, Rendered>();
  return ({ location, weather }) => {
    const place = JSON.stringify(location);
    const known = rendered.get(weather);
    if (known?.location === place) return known;
    const { temperature, condition, humidity, wind_speed } = weather;
    const values = JSON.stringify({ temperature, condition, humidity, wind_speed });
    const text = `{"location":${place},${values.slice(1)}`;
    const body = { location: place, text, tag: etag(text, { weak: true }) };
    rendered.set(weather, body);
    return body;
  };
}
