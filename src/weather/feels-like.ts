import type { Maybe } from './types.js';

/** The limits of the rule, in degrees Celsius, percent, and meters per second. */
const HOT = 26;
const HUMID = 40;
const COLD = 10;
const WINDY = 1.33;

const fahrenheit = (celsius: number) => celsius * 1.8 + 32;
const celsius = (degreesFahrenheit: number) => (degreesFahrenheit - 32) / 1.8;

/**
 * Computes how warm it feels, for providers that do not report it, by the rule of Yr
 * (https://docs.api.met.no/doc/locationforecast/FAQ): heat index, wind chill, or else temperature.
 * @param temperature degrees Celsius @param humidity percent @param windSpeed kilometers per hour
 * @returns degrees Celsius, not rounded; null if a value that the rule needs is missing
 */
export function feelsLike(
  temperature: Maybe<number>,
  humidity: Maybe<number>,
  windSpeed: Maybe<number>,
): number | null {
  if (temperature == null) return null;
  if (temperature > HOT) {
    if (humidity == null) return null;
    return humidity > HUMID ? heatIndex(temperature, humidity) : temperature;
  }
  if (temperature < COLD) {
    if (windSpeed == null) return null;
    return windSpeed / 3.6 > WINDY ? windChill(temperature, windSpeed) : temperature;
  }
  return temperature;
}

/** See https://www.weather.gov/safety/cold-wind-chill-chart (US National Weather Service). */
function windChill(temperature: number, windSpeed: number): number {
  const wind = windSpeed ** 0.16;
  return 13.12 + 0.6215 * temperature - 11.37 * wind + 0.3965 * temperature * wind;
}

/**
 * The heat index of the US National Weather Service, with both of its adjustments
 * (https://www.wpc.ncep.noaa.gov/html/heatindex_equation.shtml).
 */
function heatIndex(temperature: number, humidity: number): number {
  const [t, rh] = [fahrenheit(temperature), humidity];
  const simple = 0.5 * (t + 61 + (t - 68) * 1.2 + rh * 0.094);
  const mean = (simple + t) / 2;
  if (mean < 80) return celsius(mean);
  const regression =
    -42.379 +
    2.04901523 * t +
    10.14333127 * rh -
    0.22475541 * t * rh -
    0.00683783 * t ** 2 -
    0.05481717 * rh ** 2 +
    0.00122874 * t ** 2 * rh +
    0.00085282 * t * rh ** 2 -
    0.00000199 * t ** 2 * rh ** 2;
  const isDamp = rh > 85 && t >= 80 && t <= 87;
  // The adjustment for less than 13 % never applies here: this formula is used above 40 % only.
  return celsius(regression + (isDamp ? ((rh - 85) / 10) * ((87 - t) / 5) : 0));
}

const exponent = (celsius: number) => (17.625 * celsius) / (243.04 + celsius);

/**
 * Computes the dew point by the Magnus formula, with Open-Meteo's constants for humidity
 * (https://github.com/open-meteo/open-meteo, `Meteorology.swift`).
 * @param temperature degrees Celsius @param humidity percent
 * @returns degrees Celsius, not rounded; null if a value is missing, or the humidity is 0
 */
export function dewPoint(temperature: Maybe<number>, humidity: Maybe<number>): number | null {
  if (temperature == null || humidity == null || humidity <= 0) return null;
  const b = Math.log(humidity / 100) + exponent(temperature);
  return (243.04 * b) / (17.625 - b);
}

/**
 * Computes the relative humidity of a dew point: the reverse of `dewPoint`.
 * @param temperature degrees Celsius @param dew the dew point in degrees Celsius
 * @returns percent, not rounded; null if a value is missing
 */
export function relativeHumidity(temperature: Maybe<number>, dew: Maybe<number>): number | null {
  if (temperature == null || dew == null) return null;
  return 100 * Math.exp(exponent(dew) - exponent(temperature));
}
