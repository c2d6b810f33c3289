/** Places with a cache entry and an upstream fetch of their own. */

const MUNICH = { latitude: 48.1, longitude: 11.5 };

/** The path of a weather request for the n-th place. */
export function placePath(n: number): string {
  const { latitude, longitude } = nthPlace(n);
  return `/api/v1/weather/coordinates?lat=${latitude}&lon=${longitude}`;
}

/** How the stub provider counts the calls for the n-th place. */
export function placeKey(n: number): string {
  const { latitude, longitude } = nthPlace(n);
  return `${latitude},${longitude}`;
}

/** The key of the n-th place in the service. */
export function requestKey(n: number): string {
  const { latitude, longitude } = nthPlace(n);
  return `weather:${latitude.toFixed(4)}:${longitude.toFixed(4)}`;
}

/** The coordinates of the n-th place. */
export function nthPlace(n: number): { latitude: number; longitude: number } {
  return {
    latitude: Number((MUNICH.latitude + Math.floor(n / 1000) / 5000).toFixed(4)),
    longitude: Number((MUNICH.longitude + (n % 1000) / 5000).toFixed(4)),
  };
}
