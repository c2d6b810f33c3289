import { MAX_INSTANTS_PER_KEY as MAX_SLOTS_PER_KEY } from '../limits/window.js';

/*
 * One string per key: a header of eight numbers, then a ring of slots. Every number is a
 * little-endian double of 8 bytes. Instants are microseconds of Redis's clock.
 *
 *   header: slots of the ring, first slot in use, slots in use,
 *           admitted ever, admitted up to the first slot in use,
 *           instant of the first slot, instant of the last slot, instant at which the key expires
 *   slot:   instant, admitted ever before it
 *
 * The window has counted "admitted ever" less "admitted up to the first slot in use". The header
 * alone decides a request, so most requests cost one read and one or two writes of a few bytes,
 * whatever the limit is.
 *
 * Up to MAX_SLOTS_PER_KEY the ring has a slot for each admission. Above it, an instant is rounded
 * up to a slice of the window. Such an admission leaves later than it should, never earlier: the
 * rounding can refuse too much and never too little.
 *
 * The key outlives the window by a quarter, so that its life is extended once in a quarter of a
 * window and not by every request. The header knows when the key expires.
 *
 * Three cases are rare and rewrite the whole string: the limit was configured anew (the ring has
 * another size), the clock went back, and a refund. When the clock went back (a correction, or a
 * failover to a server whose clock is behind), slots of the future are moved to now. Their
 * admissions lie in the past, so none leaves too early; after one window the step is forgotten.
 */
const HEADER_BYTES = 64;
const SLOT_BYTES = 16;

/** A limit, as the scripts need it. */
export interface WindowSettings {
  /** Requests per window and key, at least 1. */
  limit: number;
  /** Whole seconds, at least 1. */
  windowSeconds: number;
}

/** The Lua arguments that describe a window: slots, length, slice and life of the key. */
export function constants({ limit, windowSeconds }: WindowSettings): string {
  const window = windowSeconds * 1e6;
  const exact = limit <= MAX_SLOTS_PER_KEY;
  const slice = exact ? 1 : window / MAX_SLOTS_PER_KEY;
  // In a window lie so many multiples of a slice, and one more that now is rounded up to.
  const slots = exact ? limit : MAX_SLOTS_PER_KEY + 1;
  return `${slots}, ${window}, ${slice}, ${Math.ceil(window * 1.25 + slice)}`;
}

/** Redis's clock as `now`, in microseconds. */
export const PRELUDE = `
local call, pack, unpack_ = redis.call, struct.pack, struct.unpack
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
`;

/** Reads every slot that has not left: two lists, oldest first; empty when the value is garbage. */
const READ_ALL = `
local function readAll(key, window)
  local value, instants, counts = redis.pcall('GET', key), {}, {}
  if type(value) ~= 'string' or #value < ${HEADER_BYTES} then return instants, counts end
  local size, first, live, total = unpack_('<dddd', value)
  if not (size >= 1 and live >= 1 and live <= size and first >= 0 and first < size)
    or #value < ${HEADER_BYTES} + math.min(size, first + live) * ${SLOT_BYTES} then
    return instants, counts
  end
  for i = 0, live - 1 do
    local at = ${HEADER_BYTES + 1} + (first + i) % size * ${SLOT_BYTES}
    local instant, before = unpack_('<dd', value, at)
    local after = total
    if i < live - 1 then
      after = unpack_('<d', value, ${HEADER_BYTES + 9} + (first + i + 1) % size * ${SLOT_BYTES})
    end
    if instant + window > now then
      instants[#instants + 1], counts[#counts + 1] = instant, after - before
    end
  end
  return instants, counts
end
`;

/**
 * Writes a string of these slots, of which the ring holds the newest; the others are counted with
 * the oldest that it holds. Returns the header's numbers behind the size.
 */
const WRITE_ALL = `
local function writeAll(key, slots, life, instants, counts)
  local begin, total, expires = math.max(1, #instants - slots + 1), 0, now + life
  local values = {}
  for i = 1, #instants do
    if i >= begin then
      values[#values + 1] = pack('<dd', instants[i], i == begin and 0 or total)
    end
    total = total + counts[i]
  end
  if #values == 0 then
    call('DEL', key)
    return 0, 0, 0, 0, 0, 0, 0
  end
  local oldest, newest = instants[begin], instants[#instants]
  local header = pack('<dddddddd', slots, 0, #values, total, 0, oldest, newest, expires)
  call('SET', key, header .. table.concat(values), 'PX', string.format('%.0f', life / 1000 + 2))
  return 0, #values, total, 0, oldest, newest, expires
end
`;

/** Reads the header, and goes past the slots that have left. */
export const READ = `
local function read(key, instant, slots, window, slice, life)
  local header = redis.pcall('GETRANGE', key, '0', '${HEADER_BYTES - 1}')
  -- Nothing is there, or a value that is not ours and is replaced.
  if type(header) ~= 'string' or #header < ${HEADER_BYTES} then return 0, 0, 0, 0, 0, 0, 0 end
  local size, first, live, total, left, oldest, newest, expires = unpack_('<dddddddd', header)
  if size ~= slots or newest > instant then
    ${READ_ALL}
    ${WRITE_ALL}
    local instants, counts = readAll(key, window)
    for i = 1, #instants do instants[i] = math.min(instants[i], instant) end
    return writeAll(key, slots, life, instants, counts)
  end
  if newest + window <= now then return 0, 0, 0, 0, 0, 0, 0 end
  while oldest + window <= now and live > 1 do
    first, live = (first + 1) % slots, live - 1
    local at = ${HEADER_BYTES} + first * ${SLOT_BYTES}
    oldest, left = unpack_('<dd', call('GETRANGE', key, at, at + ${SLOT_BYTES - 1}))
  end
  return first, live, total, left, oldest, newest, expires
end
`;

/** Counts one admission after \`read\`. */
export const ADD = `
local function add(key, instant, slots, window, slice, life, first, live, total, left, oldest, newest, expires)
  if live == 0 then
    call('SET', key, pack('<dddddddddd', slots, 0, 1, 1, 0, instant, instant, now + life, instant, 0),
      'PX', string.format('%.0f', life / 1000 + 2))
    return
  end
  if instant > newest then
    if live < slots then
      call('SETRANGE', key, ${HEADER_BYTES} + (first + live) % slots * ${SLOT_BYTES},
        pack('<dd', instant, total))
      live = live + 1
    else
      -- No slot is left: what the last one has counted leaves later.
      call('SETRANGE', key, ${HEADER_BYTES} + (first + live - 1) % slots * ${SLOT_BYTES},
        pack('<d', instant))
      if live == 1 then oldest = instant end
    end
    newest = instant
  end
  if instant + window > expires then
    expires = now + life
    call('PEXPIRE', key, string.format('%.0f', life / 1000 + 2))
  end
  call('SETRANGE', key, '0',
    pack('<dddddddd', slots, first, live, total + 1, left, oldest, newest, expires))
end
`;

/** The Lua expression for the instant under which this request is counted. */
export const instantOf = ({ limit, windowSeconds }: WindowSettings): string => {
  if (limit <= MAX_SLOTS_PER_KEY) return 'now';
  const slice = (windowSeconds * 1e6) / MAX_SLOTS_PER_KEY;
  return `math.ceil(now / ${slice}) * ${slice}`;
};

const wait = (oldest: string, { windowSeconds }: WindowSettings): string =>
  `math.ceil((${oldest} + ${windowSeconds * 1e6} - now) / 1000)`;

/**
 * Counts one request in the window of KEYS[1] and, with `total`, in that of KEYS[2]; in none when
 * one of them refuses. The reply is {consumed, numbers}, as rate-limiter-flexible asks of a script:
 * - admitted: {count, {0, wait, instant}} and, with `total`, its remaining requests and wait
 * - refused: {limit + 1, {1 or 2, wait}}, the number of the window that refused
 *
 * A wait is the milliseconds, rounded up, until the oldest counted request leaves the window.
 */
export function consumeScript(own: WindowSettings, total: WindowSettings | undefined): string {
  const names = (i: number) =>
    `first${i}, live${i}, total${i}, left${i}, oldest${i}, newest${i}, expires${i}`;
  const readWindow = (i: number, settings: WindowSettings) => `
local instant${i} = ${instantOf(settings)}
local ${names(i)} = read(KEYS[${i}], instant${i}, ${constants(settings)})
if total${i} - left${i} >= ${settings.limit} then
  return {${own.limit + 1}, {${i}, ${wait(`oldest${i}`, settings)}}}
end
`;
  const addWindow = (i: number, settings: WindowSettings) => `
add(KEYS[${i}], instant${i}, ${constants(settings)}, ${names(i)})
if live${i} == 0 then oldest${i} = instant${i} end
`;
  return `${PRELUDE}${READ}${ADD}
${readWindow(1, own)}
${total ? readWindow(2, total) : ''}
${addWindow(1, own)}
${total ? addWindow(2, total) : ''}
return {total1 - left1 + 1, {0, ${wait('oldest1', own)}, instant1
  ${total ? `, ${total.limit} - (total2 - left2 + 1), ${wait('oldest2', total)}` : ''}}}
`;
}

/**
 * Takes one admission back out of the slot that it was counted in (KEYS[1], its instant as ARGV[1]).
 * Another slot would be wrong: with a later one too many would pass, with an earlier one a refused
 * request would stay counted. Without such a slot there is nothing to do.
 */
export function refundScript(settings: WindowSettings): string {
  return `${PRELUDE}${READ_ALL}${WRITE_ALL}
local function refund(slots, window, slice, life)
  local instants, counts = readAll(KEYS[1], window)
  for i = 1, #instants do
    if instants[i] == tonumber(ARGV[1]) then
      counts[i] = counts[i] - 1
      if counts[i] == 0 then
        table.remove(instants, i)
        table.remove(counts, i)
      end
      writeAll(KEYS[1], slots, life, instants, counts)
      return 1
    end
  end
  return 0
end
return refund(${constants(settings)})
`;
}
