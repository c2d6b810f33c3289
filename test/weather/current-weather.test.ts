import { CURRENT_WEATHER } from '../../src/weather/current-weather.js';
import { storedKindContract } from '../contracts/stored-kind.contract.js';

storedKindContract(CURRENT_WEATHER, {
  key: 'weather:52.5244:13.4105',
  request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
  values: [
    '{"temperature":10,"condition":"Partly cloudy","humidity":54,"wind_speed":81}',
    '{"temperature":-9.5,"condition":"Unknown","humidity":100,"wind_speed":0}',
    '{"temperature":10,"condition":"Partly cloudy","humidity":54,"wind_speed":81,"time":1795655700000,"feels_like":7.5,"dew_point":-1.1,"pressure":1009.2,"cloud_cover":100,"precipitation":0.25,"wind_direction":360,"wind_gusts":99.9,"visibility":24140,"uv_index":3.2}',
    '{"temperature":10,"condition":"Partly cloudy","humidity":54,"wind_speed":81,"feels_like":null,"visibility":null}',
  ],
  notRequests: ['null', '{}', '{"point":{"latitude":91,"longitude":0}}', '[52.5244,13.4105]'],
  notValues: [
    'null',
    '{"temperature":10,"condition":"Partly cloudy","humidity":54}',
    '{"temperature":1000,"condition":"Partly cloudy","humidity":54,"wind_speed":81}',
    '{"temperature":10,"condition":"Frogs","humidity":54,"wind_speed":81}',
    '{"temperature":10,"condition":"Overcast","humidity":54,"wind_speed":81,"time":"2026-11-24T07:44"}',
    '{"temperature":10,"condition":"Overcast","humidity":54,"wind_speed":81,"time":1e300}',
    '{"temperature":10,"condition":"Overcast","humidity":54,"wind_speed":81,"pressure":"1009"}',
    '{"temperature":10,"condition":"Overcast","humidity":54,"wind_speed":81,"wind_direction":361}',
    '{"temperature":10,"condition":"Overcast","humidity":54,"wind_speed":81,"cloud_cover":50.5}',
  ],
});
