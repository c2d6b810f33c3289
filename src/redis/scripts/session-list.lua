-- Lists a session's searches (also if Redis is read-only), and confirms it. After session.lua.
-- KEYS: the session.
-- ARGV: as in session.lua; the number of the call.
-- Reply: the number of the call; the lines.
confirm(KEYS[1])
return {ARGV[#ARGV], linesOf(KEYS[1])}
