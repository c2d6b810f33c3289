/**
 * One string a session. Its first line is the head: the time at which the cookie was issued (base
 * 36), and `?` until the session is confirmed. Each further line is a search, newest first: the
 * place's key, a tab, city and country as JSON. None of these parts holds a raw tab or line break.
 */
const READ = `
-- The value, where its head ends, when the cookie was issued, and whether it is confirmed. Anything
-- else than a head is no session.
local function read(key)
  local kept = redis.pcall('GET', key)
  local ends = type(kept) == 'string' and string.find(kept, '\\n', 1, true)
  local issued = ends and ends <= 13 and string.match(kept, '^([0-9a-z]+)%??\\n')
  return kept, ends, issued, issued and #issued + 1 == ends
end`;

/**
 * Records searches, or confirms sessions, one after the other. KEYS: a session for each; one may come
 * more than once. ARGV: seconds to live when confirmed, and until then; number of searches to keep;
 * then for each key: when the cookie was issued, '?' until it has come back, the search's place key
 * with its tab, the line of the search. Both are '' where the session is only confirmed.
 */
export const RECORD = `${READ}
local function withNewest(searches, place, line)
  searches = '\\n' .. searches
  local from = string.find(searches, '\\n' .. place, 1, true)
  if from then
    local to = string.find(searches, '\\n', from + 1, true) or #searches
    searches = string.sub(searches, 1, from) .. string.sub(searches, to + 1)
  end
  searches = line .. string.sub(searches, 2)
  local last = 0
  for _ = 1, tonumber(ARGV[3]) do
    last = string.find(searches, '\\n', last + 1, true)
    if not last then return searches end
  end
  return string.sub(searches, 1, last)
end

for i, key in ipairs(KEYS) do
  local issued, mark, place, line = unpack(ARGV, 4 * i, 4 * i + 3)
  local kept, ends, was, isConfirmed = read(key)
  if isConfirmed then mark = '' end
  local head = issued .. mark .. '\\n'
  local seconds = mark == '' and ARGV[1] or ARGV[2]
  if place == '' then
    if was and not isConfirmed and mark == '' then
      redis.call('SET', key, head .. string.sub(kept, ends + 1), 'EX', seconds)
    end
  elseif was and string.sub(kept, 1, #head + #line) == head .. line then
    -- Most often a session has its newest search again.
    redis.call('EXPIRE', key, seconds)
  else
    local searches = was and string.sub(kept, ends + 1) or ''
    redis.call('SET', key, head .. withNewest(searches, place, line), 'EX', seconds)
  end
end
return #KEYS`;

/** ARGV: seconds to live when the session is confirmed by it. A Redis that refuses that is read all the same. */
export const LIST = `${READ}
local kept, ends, issued, isConfirmed = read(KEYS[1])
if not issued then return false end
if not isConfirmed then
  redis.pcall('SET', KEYS[1], issued .. string.sub(kept, ends), 'EX', ARGV[1])
end
return kept`;
