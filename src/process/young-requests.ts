import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 allocate everything young. While requests are few, each is still alive when garbage is
 * collected. From that V8 infers that objects made at some places live long, and makes them old at
 * once. An old object that refers to its request keeps all of it until the old ones are collected:
 * garbage collection then took a quarter of a cache hit's time, and the heap grew with the load.
 * It costs nothing else: what does live long is copied twice. Set here, so that it holds however the
 * process is started; Node.js leaves V8's flags open to changes.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
