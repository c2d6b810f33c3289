/**
 * The times of the Redis adapters, in milliseconds, from the shortest to the longest.
 * test/redis/client/timing.test.ts checks the relations between them.
 */

/** Time between two health checks during a fault, or two attempts of a patient command. */
export const RETRY_MS = 150;

/**
 * Time after which a process that reaches no provider asks whether another one runs its job.
 * Longer: while no process reaches any, requests wait longer for their 503 or stale entry. Shorter:
 * a busy process has not taken the job yet.
 */
export const UNTAKEN_MS = 250;

/** Time for a reply. Longer: a hung Redis delays requests. Shorter: a busy one is unavailable. */
export const REPLY_MS = 250;

/** Time between two health checks while Redis is available. */
export const HEALTH_MS = 3 * RETRY_MS;

/** Time between two attempts of a worker to take jobs after an error or an outage. */
export const WORKER_CHECK_MS = 500;

/** Time after which a change of availability is reported: a transient delay is not. */
export const DEBOUNCE_MS = 1000;

/** Time for which a command without a substitute waits for Redis, before a 503. */
export const PATIENT_MS = 1000;

/**
 * Time after which a connection without any reply is reset, and a sentinel that has not named the
 * master is left. Longer: a frozen master is left later. Shorter: a transient delay costs the
 * connection, and the replies that it would still bring.
 */
export const SILENT_CONNECTION_MS = 1000;

/**
 * Time between two reads of the entry by a waiting request. The request takes the job only if its
 * process has also had a free concurrency slot for this long. Longer: a lost message, or a worker
 * that hangs or has died, costs more. Shorter: more load for Redis, and a busy worker seems to hang
 * between two jobs.
 */
export const POLL_MS = 1000;

/**
 * Maximum time between two replies of a healthy Redis on a blocking or subscribed connection, and
 * for opening any connection. Longer: workers and subscribers leave a frozen master later. Shorter:
 * a slow network interrupts connections.
 */
export const MAX_SILENCE_MS = 2000;

/** Time between two searches of BullMQ for jobs of dead workers. */
export const STALLED_MS = 2000;

/** Time between two connections to a read-only server. Its address may lead to another by now. */
export const READ_ONLY_MS = 2000;

/** TTL of the lock of a job. Longer: a job of a dead process is started again later. */
export const JOB_LOCK_MS = 3000;

/** Time for which a recording is retried in the background. Longer: an outage fills more memory. */
export const RECORDING_MS = 3000;

/** TTL of the key that a health check writes. */
export const HEALTH_KEY_MS = 10_000;

/** The longest wait that a rejection names while Redis is unavailable: it may recover sooner. */
export const FALLBACK_WAIT_MS = 10_000;

/**
 * Time after which Redis decides again about a full window, at the latest. Longer: if a window is
 * deleted in Redis, its clients are rejected for longer. Shorter: a rejected client costs Redis
 * more commands.
 */
export const REJECTION_MS = 30_000;

/** Time between identical records about Redis, and for which a missing permission counts. */
export const REPEAT_MS = 30_000;

/** Returns the milliseconds before an attempt to connect: 100, doubled each time, up to 400. */
export const reconnectDelay = (attempt: number): number => 50 * 2 ** Math.min(attempt, 3);
