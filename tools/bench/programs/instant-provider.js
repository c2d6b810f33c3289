/**
 * A weather provider that responds at once with the same response of Open-Meteo for every point, of
 * the present. It only searches for the end of a request, so that it needs little CPU time. `GET
 * /calls` returns the number of requests for weather.
 */
import { createServer } from 'node:net';
import process from 'node:process';
import { setInterval } from 'node:timers';

const HEAD_END = '\r\n\r\n';

function jsonResponse(body) {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A list of instants, from one on. */
const instants = (first, stepMs, count) =>
  Array.from({ length: count }, (_, index) => first + index * stepMs);

/** Current weather and days. */
function weatherAt(now) {
  // From yesterday on in UTC: they contain today in every time zone.
  const dates = instants(now - DAY_MS, DAY_MS, 9).map((instant) =>
    new Date(instant).toISOString().slice(0, 'YYYY-MM-DD'.length),
  );
  return jsonResponse({
    timezone: 'America/Los_Angeles',
    daily: {
      time: dates,
      temperature_2m_min: dates.map(() => 4.1),
      temperature_2m_max: dates.map(() => 9),
      weather_code: dates.map(() => 61),
      precipitation_sum: dates.map(() => 1.25),
      precipitation_probability_max: dates.map(() => 62),
      wind_speed_10m_max: dates.map(() => 18.4),
      wind_gusts_10m_max: dates.map(() => 40.3),
      uv_index_max: dates.map(() => 1.15),
    },
    current: {
      time: new Date(now).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length),
      interval: 900,
      temperature_2m: 8.4,
      relative_humidity_2m: 87,
      apparent_temperature: 5.9,
      weather_code: 61,
      pressure_msl: 1009.2,
      precipitation: 0.1,
      cloud_cover: 100,
      wind_speed_10m: 11.2,
      wind_direction_10m: 210,
      wind_gusts_10m: 24.1,
    },
  });
}

function hoursAt(now) {
  const hours = instants(now - (now % HOUR_MS), HOUR_MS, 49);
  return jsonResponse({
    timezone: 'GMT',
    hourly: {
      time: hours.map((instant) => instant / 1000),
      temperature_2m: hours.map(() => 8.4),
      relative_humidity_2m: hours.map(() => 87),
      apparent_temperature: hours.map(() => 5.9),
      precipitation: hours.map(() => 0.4),
      precipitation_probability: hours.map(() => 61),
      weather_code: hours.map(() => 61),
      cloud_cover: hours.map(() => 100),
      wind_speed_10m: hours.map(() => 11.2),
      wind_direction_10m: hours.map(() => 210),
      wind_gusts_10m: hours.map(() => 24.1),
    },
  });
}

const responsesAt = (now) => ({ weather: weatherAt(now), hours: hoursAt(now) });
let responses = responsesAt(Date.now());
setInterval(() => {
  responses = responsesAt(Date.now());
}, QUARTER_MS);

/** The response to a request. */
function responseTo(request) {
  return request.includes('&hourly=') ? responses.hours : responses.weather;
}

let calls = 0;
createServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    text += chunk;
    for (let end = text.indexOf(HEAD_END); end !== -1; end = text.indexOf(HEAD_END)) {
      const asksForCount = text.startsWith('GET /calls ');
      if (!asksForCount) calls += 1;
      socket.write(asksForCount ? jsonResponse({ calls }) : responseTo(text.slice(0, end)), 'utf8');
      text = text.slice(end + HEAD_END.length);
    }
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
