-- Sends as many requests at once as the first argument says, and counts what came of it.
local threads = {}
other = 0

function setup(thread) table.insert(threads, thread) end

function init(arguments)
  local requests = {}
  for index = 1, tonumber(arguments[1]) do requests[index] = wrk.format() end
  together = table.concat(requests)
end

function request() return together end

function response(status) if status ~= 200 then other = other + 1 end end

function done(summary)
  local not200 = 0
  for _, thread in ipairs(threads) do not200 = not200 + thread:get("other") end
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "connect": %d, "read": %d, "write": %d, "timeout": %d, "not 200": %d}\n',
    summary.requests, errors.connect, errors.read, errors.write, errors.timeout, not200))
end
