import { POSITION } from '../../src/weather/kinds/position.js';
import { storedKindContract } from '../contracts/stored-kind.contract.js';

storedKindContract(POSITION, {
  key: 'position:springfield:US',
  request: '{"city":"Springfield","countryCode":"US","name":"springfield:US"}',
  values: ['null', '{"latitude":39.80172,"longitude":-89.64371}'],
  notRequests: ['null', '{"city":"Springfield","countryCode":"US"}', '"springfield:US"'],
  notValues: ['{}', '{"latitude":39.80172}', '{"latitude":"39.8","longitude":"-89.6"}', 'false'],
});
