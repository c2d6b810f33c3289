/** For scripts: reads a session. Anything else than a head is none. */
export const READ_SESSION = `
-- The value, where its head ends, when the cookie was issued, and whether it is confirmed.
local function readSession(key)
  local kept = redis.pcall('GET', key)
  local ends = type(kept) == 'string' and string.find(kept, '\\n', 1, true)
  local issued = ends and ends <= 13 and string.match(kept, '^([0-9a-z]+)%??\\n')
  return kept, ends, issued, issued and #issued + 1 == ends
end`;

/**
 * For scripts: writes the head, confirms the session, adds a search. Each if asked to, all at once, so
 * that concurrent searches are all kept. Arguments: key; seconds to live; head, or '' to confirm the
 * session that is there; the search's place key with its tab, or ''; the line of the search; number
 * of searches to keep. Returns when the cookie was issued, or false where there is no session.
 */
export const UPDATE_SESSION = `${READ_SESSION}
local function updateSession(key, seconds, head, place, line, most)
  local kept, ends, issued, isConfirmed = readSession(key)
  if head == '' then
    if not issued then return false end
    head = issued .. '\\n'
    if isConfirmed and place == '' then return issued end
    -- Most often a confirmed session has its newest search again.
    if string.sub(kept, 1, ends + #line) == head .. line then
      redis.call('EXPIRE', key, seconds)
      return issued
    end
  end
  local searches = issued and string.sub(kept, ends + 1) or ''
  if place ~= '' then
    searches = '\\n' .. searches
    local from = string.find(searches, '\\n' .. place, 1, true)
    if from then
      local to = string.find(searches, '\\n', from + 1, true) or #searches
      searches = string.sub(searches, 1, from) .. string.sub(searches, to + 1)
    end
    searches = line .. string.sub(searches, 2)
    local last = 0
    for _ = 1, tonumber(most) do
      last = string.find(searches, '\\n', last + 1, true)
      if not last then break end
    end
    if last then searches = string.sub(searches, 1, last) end
  end
  redis.call('SET', key, head .. searches, 'EX', seconds)
  return issued
end`;
