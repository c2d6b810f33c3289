import { AIR_QUALITY } from '../../src/weather/kinds/air-quality.js';
import { storedKindContract } from '../contracts/stored-kind.contract.js';

storedKindContract(AIR_QUALITY, {
  key: 'air-quality:52.5244:13.4105',
  request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
  values: [
    '{"time":1795655700000,"european_aqi":37,"us_aqi":56,"pm2_5":13.7,"pm10":25.3,"ozone":48,"nitrogen_dioxide":5.7,"sulphur_dioxide":1.7,"carbon_monoxide":201,"resolution_km":11}',
    '{"time":1795655700000,"european_aqi":null,"us_aqi":null,"pm2_5":null,"pm10":0,"ozone":null,"nitrogen_dioxide":null,"sulphur_dioxide":null,"carbon_monoxide":null,"resolution_km":null}',
  ],
  notRequests: ['null', '{}'],
  notValues: [
    'null',
    '{"european_aqi":37}',
    '{"time":1795655700000,"european_aqi":-1}',
    '{"time":1795655700000,"us_aqi":301}',
    '{"time":1795655700000,"pm10":"15"}',
    '{"time":1795655700000,"resolution_km":0}',
  ],
});
