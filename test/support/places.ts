/** Many places near one another, each with its own cache entry and its own upstream fetch. */

const MUNICH = { latitude: 48.1, longitude: 11.5 };

/** The path of a lookup of the n-th place. */
export function placePath(n: number): string {
  const { latitude, longitude } = nthPlace(n);
  return `/api/v1/weather/coordinates?lat=${latitude}&lon=${longitude}`;
}

/** How the stand-in counts the calls for the n-th place. */
export function placeKey(n: number): string {
  const { latitude, longitude } = nthPlace(n);
  return `${latitude},${longitude}`;
}

/** By what name the service itself knows the weather of the n-th place. */
export function requestKey(n: number): string {
  const { latitude, longitude } = nthPlace(n);
  return `weather:${latitude.toFixed(4)}:${longitude.toFixed(4)}`;
}

/** Where the n-th place is. */
export function nthPlace(n: number): { latitude: number; longitude: number } {
  return {
    latitude: Number((MUNICH.latitude + Math.floor(n / 1000) / 5000).toFixed(4)),
    longitude: Number((MUNICH.longitude + (n % 1000) / 5000).toFixed(4)),
  };
}
