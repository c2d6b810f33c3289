/** Two files of the library: all of it takes half as long again to load, at each start. */
declare module 'bullmq/dist/cjs/classes/queue.js' {
  export { Queue } from 'bullmq';
}
declare module 'bullmq/dist/cjs/classes/worker.js' {
  export { Worker } from 'bullmq';
}
