import { CURRENT_WEATHER } from '../../src/weather/kinds/current-weather.js';
import { storedKindContract } from '../contracts/stored-kind.contract.js';

storedKindContract(CURRENT_WEATHER, {
  key: 'weather:52.5244:13.4105',
  request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
  values: [
    '{"time":1795655700000,"weather_code":2,"temperature":10,"humidity":54,"wind_speed":81,"feels_like":7.5,"dew_point":-1.1,"pressure":1009.2,"cloud_cover":100,"precipitation":0.25,"wind_direction":360,"wind_gusts":99.9,"visibility":24140,"uv_index":3.2}',
    '{"time":1795655700000,"weather_code":null,"temperature":-9.5,"humidity":100,"wind_speed":0,"feels_like":null,"dew_point":null,"pressure":null,"cloud_cover":null,"precipitation":null,"wind_direction":null,"wind_gusts":null,"visibility":null,"uv_index":null}',
  ],
  notRequests: [
    ...['null', '{}', '{"point":{"latitude":91,"longitude":0}}', '[52.5244,13.4105]'],
    '{"point":{"latitude":1,"longitude":0},"elevation":"7"}',
  ],
  notValues: [
    'null',
    '{"weather_code":2,"temperature":10,"humidity":54,"wind_speed":81}',
    '{"time":1795655700000,"weather_code":2,"temperature":10,"humidity":54}',
    '{"time":1795655700000,"weather_code":2,"temperature":1000,"humidity":54,"wind_speed":81}',
    '{"time":1795655700000,"weather_code":4,"temperature":10,"humidity":54,"wind_speed":81}',
    ...['"2026-11-24T07:44"', '1e300', '253402300799999', '0.5', '-1'].map(
      (time) => `{"time":${time},"weather_code":2,"temperature":10,"humidity":54,"wind_speed":81}`,
    ),
    '{"time":1795655700000,"weather_code":2,"temperature":10,"humidity":54,"wind_speed":81,"pressure":"1009"}',
    '{"time":1795655700000,"weather_code":2,"temperature":10,"humidity":54,"wind_speed":81,"wind_direction":361}',
    '{"time":1795655700000,"weather_code":2,"temperature":10,"humidity":54,"wind_speed":81,"cloud_cover":50.5}',
  ],
});
