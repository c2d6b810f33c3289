/**
 * A weather provider that responds at once with the same response of Open-Meteo for every point. It only searches for
 * the end of a request, so that it needs little CPU time. `GET /calls` returns the number of requests for weather.
 */
import { createServer } from 'node:net';

const HEAD_END = '\r\n\r\n';

function answer(body: object): string {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

const DAY_MS = 86_400_000;
/** The dates of a forecast, from yesterday on in UTC: they contain today in every time zone. */
const dates = Array.from({ length: 9 }, (_, index) =>
  new Date(Date.now() + (index - 1) * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length),
);

const forecast = answer({
  timezone: 'America/Los_Angeles',
  daily: {
    time: dates,
    temperature_2m_min: dates.map(() => 4.1),
    temperature_2m_max: dates.map(() => 9),
    weather_code: dates.map(() => 61),
    precipitation_probability_max: dates.map(() => 62),
  },
  current_units: { temperature_2m: '°C', wind_speed_10m: 'km/h' },
  current: {
    time: '2025-01-01T12:00',
    temperature_2m: 8.4,
    relative_humidity_2m: 87,
    weather_code: 61,
    wind_speed_10m: 11.2,
  },
});

let calls = 0;
createServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf(HEAD_END); end !== -1; end = text.indexOf(HEAD_END)) {
      const isQuestion = text.startsWith('GET /calls ');
      if (!isQuestion) calls += 1;
      socket.write(isQuestion ? answer({ calls }) : forecast, 'utf8');
      text = text.slice(end + HEAD_END.length);
    }
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
