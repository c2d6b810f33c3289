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

/** Where the n-th place is. */
export function nthPlace(n: number): { latitude: number; longitude: number } {
  return {
    latitude: Number((MUNICH.latitude + Math.floor(n / 1000) / 5000).toFixed(4)),
    longitude: Number((MUNICH.longitude + (n % 1000) / 5000).toFixed(4)),
  };
}
