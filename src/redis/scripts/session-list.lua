-- Lists the searches of a session and confirms it, after session.lua. If Redis is read-only, it still lists them.
-- KEYS: the session.
-- ARGV: as in session.lua; the number of the call.
-- Reply: the number of the call; the lines.
confirm(KEYS[1])
return {ARGV[#ARGV], linesOf(KEYS[1])}
