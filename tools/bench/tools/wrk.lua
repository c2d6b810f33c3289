-- Sends the requests of a file in turn. Each ends with an empty line.
local file = assert(io.open(os.getenv('BENCH_REQUESTS'), 'rb'))
local requests = {}
for request in file:read('*a'):gmatch('(.-\r\n\r\n)') do requests[#requests + 1] = request end
file:close()

local at = 0
function request()
  at = at % #requests + 1
  return requests[at]
end

-- The mean pause of a connection between an answer and its next request, in milliseconds.
local pause = tonumber(os.getenv('BENCH_PAUSE_MS') or '0')
if pause > 0 then
  math.randomseed(1)
  function delay()
    return math.floor(-pause * math.log(1 - math.random()) + math.random())
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT %d %d %d %d %d\n',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(99)))
end
