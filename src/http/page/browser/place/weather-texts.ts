/** Texts about the current weather. */
import type { Weather } from '../service/api-client.js';
import { nameOf } from '../service/questions.js';
import type { Units } from '../view/units.js';
import { iconClasses } from './weather-icon.js';

export interface WeatherTexts {
  place: string;
  temperature: string;
  wind: string;
  humidity: string;
  /** The CSS classes of the icon. */
  icon: string;
  /** The title of the page. */
  title: string;
  /** A sentence for screen readers. */
  announcement: string;
}

export function weatherTexts(weather: Weather, headers: Headers, units: Units): WeatherTexts {
  const { location, condition, humidity } = weather;
  const place = nameOf(location);
  const temperature = units.temperature(weather.temperature);
  return {
    place,
    temperature,
    wind: units.wind(weather.wind_speed),
    humidity: `${humidity} %`,
    icon: iconClasses(condition, headers.get('X-Weather-Is-Day') !== '0'),
    title: `${temperature} ${place}`,
    announcement: `${place}: ${temperature}, ${condition}.`,
  };
}
