-- Sends the requests of a file in order, again and again. Each ends with an empty line.
local file = assert(io.open(os.getenv('BENCH_REQUESTS'), 'rb'))
local requests = {}
for request in file:read('*a'):gmatch('(.-\r\n\r\n)') do requests[#requests + 1] = request end
file:close()

local at = 0
function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT %d %d %d\n',
    summary.requests, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
